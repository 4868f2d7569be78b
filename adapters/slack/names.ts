/** What the manifest declares and Slack sends back to us. */
export const command = "/shipmate";
export const callbacks = { ask: "ask_teammate", stop: "stop_task", form: "form" } as const;
export const postEvent = "shipmate_post";
