import type { Scope } from '../scope.ts'

// Statements on rows of several Spaces: each row names its own.

/** One of many that may belong to different Spaces and environments. */
export type Scoped<T> = T & { scope: Scope }

/** A row that was read, with these two columns as what they are. */
export function scoped<Row>(row: Row & Scope): Scoped<Omit<Row, keyof Scope>> {
  const { spaceId, environment, ...rest } = row
  return { ...rest, scope: { spaceId, environment } }
}

/** What names an object among those of all Spaces. */
export const nameIn = ({ spaceId, environment }: Scope, id: string) => `${spaceId} ${environment} ${id}`

/** Objects by what names them. */
export const byName = <Row extends Scoped<{ id: string }>>(rows: readonly Row[]): Map<string, Row> =>
  new Map(rows.map((row) => [nameIn(row.scope, row.id), row]))

/**
 * Each object once, in the order in which every transaction locks them, whatever their Spaces: no two then wait for each
 * other in a circle.
 */
export const inLockOrder = <Row extends Scoped<{ id: string }>>(rows: readonly Row[]): Row[] =>
  [...byName(rows)].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)
