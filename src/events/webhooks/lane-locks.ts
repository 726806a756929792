import pg from 'pg'
import type { Log } from '../../platform/log.ts'

/**
 * Who sends to an endpoint: one node at a time, so that its limits hold and its order is kept. By advisory locks on a
 * connection of its own: PostgreSQL drops them with the process, and another node goes on.
 */
export type LaneLocks = {
  /** Answers whether this node has it now. */
  take(webhookId: string): Promise<boolean>
  release(webhookId: string): Promise<void>
  close(): Promise<void>
}

const reconnectDelayMs = 500
/** Sets these apart from other advisory locks. */
const seed = 715_003

/** `lost` is called when the connection, and every lock with it, is gone. */
export async function openLaneLocks(
  connection: pg.ClientConfig,
  log: Log,
  lost: () => void,
): Promise<LaneLocks> {
  let client: pg.Client | undefined
  let isClosed = false

  const connect = async () => {
    const opened = new pg.Client({ ...connection, application_name: 'pesewa deliveries' })
    const again = () => {
      if (client !== opened) return
      client = undefined
      lost()
      reconnectLater()
    }
    opened.on('error', again)
    opened.on('end', again)
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
  const ask = async (call: string, webhookId: string): Promise<boolean> => {
    const text = `select ${call}(hashtextextended($1, ${seed})) as done`
    const answer = await client?.query(text, [webhookId]).catch(() => undefined)
    return answer?.rows[0].done === true
  }
  // A connection answers one question at a time.
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = (call: string, webhookId: string): Promise<boolean> => {
    const answer = last.then(() => ask(call, webhookId))
    last = answer
    return answer
  }

  await connect()
  return {
    take: (webhookId) => inTurn('pg_try_advisory_lock', webhookId),
    release: async (webhookId) => void (await inTurn('pg_advisory_unlock', webhookId)),
    async close() {
      isClosed = true
      const open = client
      client = undefined
      await open?.end().catch(() => {})
    },
  }
}
