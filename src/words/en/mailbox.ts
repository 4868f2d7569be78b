/** What a message is told while it waits. */
export const inLine = (ahead: number, name: string, workingFor: string | null): string => {
  const place = `In line: ${ahead} ${ahead === 1 ? "task" : "tasks"} ahead`;
  return workingFor === null ? `${place} (${name} is working)` : `${place} (${name} is working for ${workingFor})`;
};
export const serverBusy = (name: string) => `In line: ${name} starts as soon as another task here is done.`;
export const taskLimit = (name: string) => `In line: ${name} is at work in as many threads as it may.`;
export const usageLimit = (name: string) => `In line: ${name} reached the plan's limit and goes on when it resets.`;
export const away = (name: string) => `${name} is away. This waits until ${name} is back.`;
export const cancel = "Cancel";
