/**
 * Tells the user of a terminal what takes time. Nothing is shown elsewhere, because standard error contains the
 * log there.
 */
export function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`${text}\n`)
}
