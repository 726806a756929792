import type { Scope } from './clock.ts'

/** Rows of many Spaces, those of each together. */
export function bySpace<Row extends Scope>(rows: Row[]): [Scope, Row[]][] {
  const groups = Map.groupBy(rows, ({ environment, spaceId }) => `${environment} ${spaceId}`)
  return [...groups.values()].map((ofSpace) => {
    const { spaceId, environment } = ofSpace[0]!
    return [{ spaceId, environment }, ofSpace]
  })
}
