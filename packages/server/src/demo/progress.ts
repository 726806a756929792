/**
 * Tells a user at a terminal which step is taking time. Without a terminal, nothing is shown, because standard
 * error contains the log.
 */
export function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`${text}\n`)
}
