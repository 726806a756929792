import type { Scope } from '../scope.ts'

// Statements on rows of several Spaces, each with its own scope.

/** An item of a set that may span Spaces and environments. */
export type Scoped<T> = T & { scope: Scope }

/** Moves the Space and environment of a row into its `scope`. */
export function scoped<Row>(row: Row & Scope): Scoped<Omit<Row, keyof Scope>> {
  const { spaceId, environment, ...rest } = row
  return { ...rest, scope: { spaceId, environment } }
}

/** Identifies an object across all Spaces. */
export const globalName = ({ spaceId, environment }: Scope, id: string) => `${spaceId} ${environment} ${id}`

/** Maps objects by these names. */
export const byGlobalName = <Row extends Scoped<{ id: string }>>(rows: readonly Row[]): Map<string, Row> =>
  new Map(rows.map((row) => [globalName(row.scope, row.id), row]))

/**
 * Returns each object once, in the order in which all transactions lock them across Spaces, to prevent
 * deadlocks.
 */
export const inLockOrder = <Row extends Scoped<{ id: string }>>(rows: readonly Row[]): Row[] =>
  [...byGlobalName(rows)].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)
