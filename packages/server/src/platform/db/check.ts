import type { Row } from './database.ts'
import type { Encryption } from './encryption.ts'
import type { Sql } from './sql.ts'
import type { Walk } from './walk.ts'

/** The rows that a check covers: walks over all of them, and walks over the rows since a given time. */
export type Subject = { all: Walk[]; since(at: Date): Walk[] }

/**
 * An integrity check of the books. `differences` selects the rows of a walk that violate the check, with
 * columns as text for display. If SQL alone cannot find the violations, it selects all candidates, and
 * `describeViolation` returns the text to show for those that are real violations.
 */
export type Check = {
  name: string
  about: Subject
  differences(rows: Sql): Sql
  describeViolation?(row: Row, encryption?: Encryption): object | undefined
  /** True if the check decrypts. It is skipped if the keys of personal data are not available. */
  needsKeys?: true
}
