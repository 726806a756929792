import type { Row } from './database.ts'
import type { Sql } from './sql.ts'
import type { Walk } from './walk.ts'

/** What a check is about: the walks over all of it, and those over what is new since a moment. */
export type Subject = { all: Walk[]; since(at: Date): Walk[] }

/**
 * One thing that must be true of the books; `differences` selects those of a walk's rows that contradict it, as text, for
 * a difference is only ever shown. Where SQL cannot know, it selects all that may contradict it, and `judge` returns
 * what is shown of those that do.
 */
export type Check = {
  name: string
  about: Subject
  differences(rows: Sql): Sql
  judge?(row: Row): object | undefined
}
