import type { Row } from './database.ts'
import type { Sql } from './sql.ts'
import type { Walk } from './walk.ts'

/** The rows of a check: a walk over all of them, and a walk over those since a given time. */
export type Subject = { all: Walk[]; since(at: Date): Walk[] }

/**
 * An integrity check of the books. `differences` selects the rows of a walk that violate it, with columns as
 * text for display. If SQL cannot decide, it selects all candidates, and `judge` returns what to show for real
 * violations.
 */
export type Check = {
  name: string
  about: Subject
  differences(rows: Sql): Sql
  describeViolation?(row: Row): object | undefined
}
