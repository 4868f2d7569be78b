/** A platform as people write it; adapters name themselves in lower case. */
export function platformName(platform: string): string {
  return platform.charAt(0).toUpperCase() + platform.slice(1);
}
