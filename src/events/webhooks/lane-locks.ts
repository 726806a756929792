import pg from 'pg'
import type { Log } from '../../platform/log.ts'
import { createSemaphore } from '../../platform/semaphore.ts'

const reconnectDelayMs = 500
/** Sets these apart from other advisory locks. */
const seed = 715_003

/**
 * One node at a time sends to an endpoint, so that its limits and its order hold. By advisory locks on a connection of
 * their own: PostgreSQL drops them with the process, and another node goes on. `onLost`: they are all gone.
 */
export async function openLaneLocks(connection: pg.ClientConfig, log: Log, onLost: () => void) {
  let client: pg.Client | undefined
  let isClosed = false

  const connect = async () => {
    const opened = new pg.Client({ ...connection, application_name: 'pesewa deliveries' })
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
        log.warn({ err }, 'deliveries wait for the database')
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
    /** Returns whether this node has it now. */
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
