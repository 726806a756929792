import pg, { type ClientConfig } from 'pg'
import type { Scope } from '../packages/server/src/platform/scope.ts'

/** Waits for rows to reach a state, with one periodic query for all of them. */
export type Watch = { of(key: string): Promise<void>; close(): Promise<void> }

/**
 * @param query returns, as `key`, those of the keys in `$1` whose rows have reached the state; it must read
 * only the rows of these keys
 */
export async function openWatch(connection: ClientConfig, everyMs: number, query: string): Promise<Watch> {
  const client = new pg.Client(connection)
  await client.connect()
  // The query is planned while the table is almost empty, and would otherwise read all of it from then on.
  await client.query('set enable_seqscan = off')
  const waiting = new Map<string, () => void>()
  let looking = Promise.resolve()
  const look = async () => {
    if (waiting.size === 0) return
    const { rows } = await client.query({
      name: 'watch',
      text: query,
      values: [[...waiting.keys()]],
    })
    for (const { key } of rows) {
      waiting.get(key)?.()
      waiting.delete(key)
    }
  }
  const timer = setInterval(() => {
    looking = looking.then(look)
  }, everyMs)
  return {
    of: (key) => new Promise<void>((resolve) => waiting.set(key, resolve)),
    async close() {
      clearInterval(timer)
      await looking
      await client.end()
    },
  }
}

/** Returns the key of an object for `watchedRows`. */
export const watchKey = (scope: Scope, id: string) => `${scope.spaceId} ${scope.environment} ${id}`

/** Returns a query for objects by `watchKey`, which looks each of them up by primary key. */
export const watchedRows = (table: string, condition: string) => `
  with wanted as materialized (
    select key, split_part(key, ' ', 1)::uuid as space_id, split_part(key, ' ', 2)::environment as environment,
      split_part(key, ' ', 3)::uuid as id
    from unnest($1::text[]) as wanted (key)
  )
  select wanted.key from wanted cross join lateral (
    select from ${table} watched
    where watched.space_id = wanted.space_id and watched.environment = wanted.environment and watched.id = wanted.id
      and ${condition}
    offset 0
  ) found`
