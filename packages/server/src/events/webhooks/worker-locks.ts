import type pg from 'pg'
import { type Connection, createClient, sessionOf } from '../../platform/db/servers.ts'
import type { Log } from '../../platform/log.ts'
import { createSemaphore } from '../../platform/semaphore.ts'

const reconnectDelayMs = 500
/**
 * Seed for hashing webhook ids to lock keys. It ensures that these keys differ from those of other advisory
 * locks.
 */
const seed = 715_003

/**
 * Ensures that only one node sends to an endpoint, so that the limits of the endpoint and the order of its
 * events are respected. The advisory locks are held by a dedicated connection. If the process dies, PostgreSQL
 * releases them and another node takes over. `onLost` is called when all locks have been lost.
 */
export async function openWorkerLocks(connection: Connection, log: Log, onLost: () => void) {
  let client: pg.Client | undefined
  let isClosed = false

  const connect = async () => {
    const opened = createClient({ ...sessionOf(connection), application_name: 'pesewa deliveries' })
    const reconnect = () => {
      if (client !== opened) return
      client = undefined
      onLost()
      reconnectLater()
    }
    opened.on('error', reconnect)
    opened.on('end', reconnect)
    await opened.connect()
    client = opened
  }
  const reconnectLater = () => {
    if (isClosed) return
    setTimeout(() => {
      if (isClosed) return
      connect().catch((err) => {
        log.warn({ err }, 'failed to reconnect to the database; webhook deliveries are on hold')
        reconnectLater()
      })
    }, reconnectDelayMs).unref()
  }
  const run = async (name: string, webhookId: string): Promise<boolean> => {
    const text = `select ${name}(hashtextextended($1, ${seed})) as done`
    const result = await client?.query(text, [webhookId]).catch(() => undefined)
    return result?.rows[0].done === true
  }
  const oneAtATime = createSemaphore(1)
  const call = (name: string, webhookId: string) => oneAtATime(() => run(name, webhookId))

  await connect()
  return {
    /** Returns whether this node now holds the lock. */
    acquire: (webhookId: string) => call('pg_try_advisory_lock', webhookId),
    release: async (webhookId: string) => void (await call('pg_advisory_unlock', webhookId)),
    async close() {
      isClosed = true
      const open = client
      client = undefined
      await open?.end().catch(() => {})
    },
  }
}
