import { styleText } from 'node:util'

/** An output stream. `columns` is the width of a terminal. */
export type Stream = NodeJS.WritableStream & { isTTY?: boolean; columns?: number }

type Format = Parameters<typeof styleText>[0]

let isAllowed = true

/** Turns colour on or off for this process, as `--no-color` does. */
export function allowColour(isWelcome: boolean): void {
  isAllowed = isWelcome
}

/** Applies a style. `styleText` respects NO_COLOR and FORCE_COLOR, and checks whether the stream is a terminal. */
export const styled = (format: Format, text: string, stream: Stream): string =>
  isAllowed ? styleText(format, text, { stream }) : text

export const bold = (text: string, stream: Stream) => styled('bold', text, stream)
export const dim = (text: string, stream: Stream) => styled('dim', text, stream)

const formats: Record<string, Format> = {
  ok: 'green',
  open: 'green',
  yes: 'green',
  warning: 'yellow',
  paused: 'yellow',
  expired: 'yellow',
  skipped: 'dim',
  problem: 'red',
  closed: 'red',
  failed: 'red',
  FAIL: 'red',
  revoked: 'red',
  suspended: 'red',
}

/** Returns a status word in its colour. */
export const painted = (word: string, stream: Stream): string => {
  const format = formats[word.trim()]
  return format === undefined ? word : styled(format, word, stream)
}
