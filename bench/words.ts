/** What the model says in every turn, and how a bench recognises it in a chat. */
export const answerText = "The tide is in.";

/** A short message, as people send them. */
export const question = "Is the tide in? Just say so.";
