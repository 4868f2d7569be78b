import { DownloadError } from "./adapter.ts";

/** The bytes of files on a platform's servers, and its reasons where they cannot be had. `describe` leaves no secret in a detail. */
export function createDownloads(platform: string, mostBytes: number, describe: (error: unknown) => string) {
  const gone = () => new DownloadError("gone", `${platform} no longer has this file.`);
  const tooLarge = () =>
    new DownloadError("too_large", `I take files up to ${mostBytes / (1024 * 1024)} MB from ${platform}.`);
  const unavailable = (error: unknown) =>
    new DownloadError("unavailable", `${platform} did not hand over the file: ${describe(error)}`);

  async function* read(body: AsyncIterable<Uint8Array>) {
    try {
      yield* body;
    } catch (error) {
      throw unavailable(error);
    }
  }

  return {
    gone,
    tooLarge,
    unavailable,
    bytesOf: (response: Response): AsyncIterable<Uint8Array> => {
      if (response.status === 404 || response.status === 410) throw gone();
      if (!response.ok || !response.body) throw unavailable(new Error(`status ${response.status}`));
      if (Number(response.headers.get("content-length") ?? 0) > mostBytes) throw tooLarge();
      return read(response.body);
    },
  };
}
