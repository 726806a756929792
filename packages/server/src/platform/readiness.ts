/** Tracks whether this node can do its work. `/readyz` reports this to a supervisor. */
export type Readiness = {
  /** Records the current problem of a subject. `undefined` means that the subject has no problem. */
  note(subject: string, trouble: string | undefined): void
  trouble(): string | undefined
  /** Notes that the node is shutting down. From now on, each response closes its connection. */
  beginShutdown(): void
  isShuttingDown(): boolean
}

export function createReadiness(): Readiness {
  const troubles = new Map<string, string>()
  let isShuttingDown = false
  return {
    note(subject, trouble) {
      if (trouble === undefined) troubles.delete(subject)
      else troubles.set(subject, trouble)
    },
    trouble: () => (troubles.size === 0 ? undefined : [...troubles.values()].join('; ')),
    beginShutdown() {
      isShuttingDown = true
      troubles.set('shutdown', 'the node is shutting down')
    },
    isShuttingDown: () => isShuttingDown,
  }
}
