import { createCache } from '../../platform/cache.ts'
import type { Reader } from '../../platform/db/database.ts'
import type { Scoped } from '../../platform/db/scoped.ts'
import { selectCountries } from './store.ts'

/** A cache of the countries of Spaces. Its entries remain valid, because the country of a Space never changes. */
export type CountryCache = Pick<Map<string, string>, 'get'> & {
  set(spaceId: string, country: string): unknown
}
export const createCountryCache = (): CountryCache => createCache<string, string>({ max: 100_000 })

/** Returns the countries of the Spaces that these objects belong to, by the ids of the Spaces. */
export async function findCountries(
  db: Reader,
  owned: Scoped<unknown>[],
  cache: CountryCache = new Map(),
): Promise<Map<string, string>> {
  const countries = new Map<string, string>()
  const missing = new Set<string>()
  for (const { scope } of owned) {
    const country = cache.get(scope.spaceId)
    if (country !== undefined) countries.set(scope.spaceId, country)
    else missing.add(scope.spaceId)
  }
  if (missing.size === 0) return countries
  for (const { id, country } of await selectCountries(db, [...missing])) {
    countries.set(id, country)
    cache.set(id, country)
  }
  return countries
}
