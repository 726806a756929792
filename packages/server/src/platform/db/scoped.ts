import type { Scope } from '../scope.ts'

// Helpers for statements on rows of several Spaces, each with its own scope.

/** An item together with its Space and environment, for sets that may span several of them. */
export type Scoped<T> = T & { scope: Scope }

/** Moves the Space and environment of a row into its `scope` field. */
export function scoped<Row>(row: Row & Scope): Scoped<Omit<Row, keyof Scope>> {
  const { spaceId, environment, ...rest } = row
  return { ...rest, scope: { spaceId, environment } }
}

/** Returns a name that identifies an object across all Spaces. */
export const globalName = ({ spaceId, environment }: Scope, id: string) => `${spaceId} ${environment} ${id}`

/** Returns a map of the objects by their global names. */
export const byGlobalName = <Row extends Scoped<{ id: string }>>(rows: readonly Row[]): Map<string, Row> =>
  new Map(rows.map((row) => [globalName(row.scope, row.id), row]))

/**
 * Removes duplicates and sorts the objects. All transactions lock objects of several Spaces in this order,
 * which prevents deadlocks.
 */
export const inLockOrder = <Row extends Scoped<{ id: string }>>(rows: readonly Row[]): Row[] =>
  [...byGlobalName(rows)].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)
