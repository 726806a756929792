/** Ends the process with exit code 0 on SIGINT or SIGTERM, or when the reader closes the pipe, as `| head` does. */
export function endAtOnce(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0))
  process.stdout.once('error', () => process.exit(0))
}
