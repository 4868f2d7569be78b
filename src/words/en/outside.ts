/** What starts routines from outside, and the calendar of them. */

/** What the sender of a webhook reads: a program, and whoever set it up. */
export const hookAnswers = {
  accepted: "accepted",
  already: "already received",
  filtered: "filtered",
  headers:
    "The headers shipmate-timestamp (Unix seconds), shipmate-delivery (1 to 200 characters) and shipmate-signature (v1= and 64 hex digits) are needed.",
  unreadable: "The body is not what its content type says.",
  unsigned: "The signature does not match.",
  out_of_time: "The timestamp is more than 5 minutes away from now.",
  unknown: "There is nothing here.",
  method: "Send a POST.",
  paused: "This routine is paused.",
  too_long: "The body is longer than 64 KiB.",
  format: "Send application/json or text/plain.",
  too_often: "Too many calls. Please try again later.",
  full: "Too many calls wait already. Please try again later.",
  broken: "That did not work. Please try again later.",
  away: "Not available right now. Please try again later.",
} as const;

/** What a program that shows calendars is told. */
export const calendarAnswers = {
  elsewhere: "Not from here.",
  unknown: "There is no calendar here.",
  tooOften: "Too many attempts. Please try again in a minute.",
  broken: "That did not work. Please try again later.",
  away: "Not available right now. Please try again later.",
} as const;

/** Entries of the calendar, as plain text. */
export const calendar = {
  name: "Shipmate routines",
  once: (teammate: string, where: string) => (where === "" ? teammate : `${teammate} · ${where}`),
  often: (name: string, count: number) => `${name} · ${count === 1 ? "once" : `${count} times`}`,
  oftenWhy: (teammate: string, count: number, where: string) =>
    `${where === "" ? teammate : `${teammate} · ${where}`}\n${count === 1 ? "Due once" : `Due ${count} times`} between the beginning and the end of this entry. What is due so often has one entry a day.`,
  more: "More routines are due",
  moreWhy: (most: number) => `This calendar holds ${most.toLocaleString("en")} entries. What is due later is left out.`,
  privateChat: (name: string) => `private chat with ${name}`,
  unknownPlace: "a chat",
} as const;

export const openPage = "Open the page";
export const sentInPrivate = "I sent it to you in a direct message.";
export const writeFirst = "Write to me in a direct message first: this is for you alone.";
const onlyHere = "It opens only on the machine Shipmate runs on; SHIPMATE_PUBLIC_URL makes it open elsewhere.";

/** The card of a webhook, and the page that shows its secret. */
export const webhook = {
  heading: (name: string, teammate: string) => `**${name}** · ${teammate} begins when it is called`,
  address: (url: string) => `Address: \`${url}\``,
  called: (when: string) => `Last call: ${when}. Its secret was shown once.`,
  neverCalled: "Nothing has called it yet. Its secret was shown once.",
  onlyHere:
    "That address works only on the machine Shipmate runs on. For calls from elsewhere, set SHIPMATE_PUBLIC_URL to where others reach Shipmate's port, and start it again.",
  none: (name: string) => `**${name}** has no address yet. It gets one together with its secret.`,
  firstSecret: "Address and secret",
  newSecret: "New secret",
  keep: "Keep the one it has",
  sure: (name: string) =>
    `A new secret for **${name}**? Calls that are signed with the old one are turned away at once.`,
  notCalled: (name: string) => `**${name}** has a schedule, so nothing calls it.`,
  gone: "That routine is gone, or nothing calls it any more.",
  notYours: (name: string) => `Only the one whose routine it is, and the owner, see the address and secret of ${name}.`,
  made: (name: string, minutes: number, opensAnywhere: boolean) =>
    `The address and secret of **${name}** are on this page. It shows them once, within ${minutes} minutes.${opensAnywhere ? "" : ` ${onlyHere}`}`,
  page: {
    title: (name: string) => name,
    intro: (teammate: string) =>
      `Here are the address and the secret with which another program lets ${teammate} begin. They are shown once: have the place ready where you will keep them.`,
    button: "Show them",
    text: (opensAnywhere: boolean) =>
      [
        "Give both to the program that calls. The secret is not shown again; a new one ends this one.",
        ...(opensAnywhere
          ? []
          : [
              "The address works only on the machine Shipmate runs on. For calls from elsewhere, set SHIPMATE_PUBLIC_URL to where others reach Shipmate's port, start Shipmate again, and look up the address again: the secret stays.",
            ]),
      ].join("\n"),
    address: "Address",
    secret: "Secret",
    try: "To try it, in a terminal",
    /** For bash; neither part has a character that a shell minds. */
    script: (url: string, secret: string) =>
      [
        `URL='${url}'`,
        `SECRET='${secret}'`,
        `BODY='{"type":"test","text":"Hello from the terminal"}'`,
        "NOW=$(date +%s)",
        'ID="test-$NOW-$RANDOM"',
        `SIGNATURE=$(printf '%s' "$NOW.$ID.$BODY" | openssl dgst -sha256 -hmac "$SECRET" -r | cut -d' ' -f1)`,
        `curl -sS "$URL" -H 'Content-Type: application/json' -H "Shipmate-Timestamp: $NOW" -H "Shipmate-Delivery: $ID" -H "Shipmate-Signature: v1=$SIGNATURE" --data-binary "$BODY"`,
      ].join("\n"),
  },
} as const;

/** `/routine calendar`, and the page that shows an address. */
export const calendarCard = {
  off: "**Calendar**\nWhen routines are due in the next 30 days, in your own calendar. It is off: it begins with an address of your own.",
  on: "**Calendar**\nYour calendar of routines is on. Its address was shown once; whoever has it can read when routines are due.",
  turnOn: "Turn on",
  newAddress: "New address",
  turnOff: "Turn off",
  turnedOff: "Off. The address it had shows nothing any more.",
  made: (minutes: number, opensAnywhere: boolean) =>
    `The address of your calendar is on this page. It shows it once, within ${minutes} minutes, and begins then.${opensAnywhere ? "" : ` ${onlyHere}`}`,
  page: {
    title: "Your calendar of routines",
    intro: "Here is the address for your calendar program. It is shown once; an address from before ends.",
    button: "Show the address",
    text: (opensAnywhere: boolean) =>
      [
        "In your calendar program, subscribe to this address (“from URL”). Whoever has it can read when routines are due, so keep it to yourself. For one teammate only, add ?agent= and a name.",
        ...(opensAnywhere
          ? []
          : [
              "It works only on the machine Shipmate runs on. For elsewhere, set SHIPMATE_PUBLIC_URL to where others reach Shipmate's port, start Shipmate again, and use that in place of the beginning.",
            ]),
      ].join("\n"),
    address: "Address",
  },
} as const;
