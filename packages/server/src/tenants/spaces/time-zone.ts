import { timeZoneOf } from '../../countries/time-zones.ts'
import type { Reader } from '../../platform/db/database.ts'
import type { Scope } from '../../platform/scope.ts'
import { selectSpace } from './store.ts'

/** Returns the time zone of a Space's country, or UTC for calls that belong to no Space. */
export async function timeZoneOfSpace(db: Reader, { spaceId }: Pick<Scope, 'spaceId'>): Promise<string> {
  const space = spaceId ? await selectSpace(db, spaceId) : undefined
  return space ? timeZoneOf(space.country) : 'UTC'
}
