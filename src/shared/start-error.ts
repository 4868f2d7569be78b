/** Shipmate cannot start as it is set up; the message is a sentence that says what to do. */
export class StartError extends Error {
  override readonly name = "StartError";
}
