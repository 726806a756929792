/** What a command cannot do and a person can mend: its message is the one line that is printed. */
export class CommandError extends Error {}
