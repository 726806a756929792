/** Tracks whether this node can do its work, as `/readyz` reports to a supervisor. */
export type Readiness = {
  /** Records a subject's problem, or that the problem is resolved. */
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
