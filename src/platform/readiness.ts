/** Whether this node does what it is there for, as `/readyz` says to a supervisor. */
export type Readiness = {
  /** Notes why not, of one subject, or that it is well again. */
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
