/** Tracks whether this node can do its work. `/readyz` reports this to a supervisor. */
export type Readiness = {
  /** Records the current problem of a subject. `undefined` means that the subject has no problem. */
  note(subject: string, trouble: string | undefined): void
  trouble(): string | undefined
}

export function createReadiness(): Readiness {
  const troubles = new Map<string, string>()
  return {
    note(subject, trouble) {
      if (trouble === undefined) troubles.delete(subject)
      else troubles.set(subject, trouble)
    },
    trouble: () => (troubles.size === 0 ? undefined : [...troubles.values()].join('; ')),
  }
}
