/** What opens the echo server where it asks for a key. */
export const stdioKey = "let-me-in-please";
