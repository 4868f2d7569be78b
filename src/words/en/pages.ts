/** Pages in a browser that are filled in once. */
export const send = "Send";
export const note = "It goes straight to where it is needed, never through the chat. This page works once.";
/** Of a page that shows something. */
export const noteShown = "What it shows can be seen once, and only here.";
export const doneTitle = "Thank you";
export const doneHint = "You can close this page.";
export const overTitle = "This page is no longer active";
export const sorryTitle = "Sorry";
export const over = "It was filled in already, or its time ran out. Ask in the chat for a new link.";
export const empty = "Please fill in every field.";
export const tooLong = "That is too long for this page.";
export const tooOften = "Too many attempts. Please try again in a minute.";
export const elsewhere = "That did not come from this page. Please open the link again.";
export const broken = "That did not work, and nothing was taken. Please try again.";
