/** What the instructions need to know of a teammate. */
export interface InstructedTeammate {
  readonly handle: string;
  readonly name: string;
  readonly title: string;
  readonly job: string;
  readonly instructions: string;
  readonly autonomy: "ask_all" | "ask_consequential" | "autonomous";
  readonly access: "workspace" | "full";
}

export interface Instructions {
  readonly text: string;
  /** Changes exactly when the text does: a thread that was started with another one is not reused. */
  readonly hash: string;
}

/** The developer instructions of a teammate's threads. */
export function developerInstructions(_teammate: InstructedTeammate): Instructions {
  throw new Error("not built yet");
}
