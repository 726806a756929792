import pg, { type ClientConfig } from 'pg'

/** What a load waits for, seen in the rows: one query now and then for all that is waited for. */
export type Watch = { of(key: string): Promise<void>; close(): Promise<void> }

/** @param query answers those of the keys `$1` that have come, as `key`; further values follow */
export async function openWatch(
  connection: ClientConfig,
  everyMs: number,
  query: string,
  values: unknown[] = [],
): Promise<Watch> {
  const client = new pg.Client(connection)
  await client.connect()
  const waiting = new Map<string, () => void>()
  let looking = Promise.resolve()
  const look = async () => {
    if (waiting.size === 0) return
    const { rows } = await client.query({
      name: 'watch',
      text: query,
      values: [[...waiting.keys()], ...values],
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
