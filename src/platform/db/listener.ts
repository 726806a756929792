import pg from 'pg'

const reconnectDelayMs = 500
const channel = 'pesewa'
/** Sets these apart from other advisory locks. */
export const alivenessLock = 715_002

export type Listener = {
  /** Listens from here on; the first who asks for it waits for the connection. */
  open(): Promise<void>
  /** To all nodes that listen. While there is no connection nobody is notified. */
  send(payload: string): Promise<unknown>
  close(): Promise<void>
}

/**
 * The one connection that a node has beside its pool, opened again when it is lost: it hears and sends notifications,
 * and shows that the node lives by a lock, which PostgreSQL drops with the process. `opened` is called when it listens,
 * and again after each loss: something may have been missed.
 */
export function createListener(
  settings: pg.ClientConfig,
  node: number,
  { heard, opened }: { heard: (payload: string) => void; opened: () => void },
): Listener {
  let client: pg.Client | undefined
  let connected: Promise<void> | undefined
  let sending: Promise<unknown> | undefined
  let isClosed = false

  async function connect(): Promise<void> {
    const fresh = new pg.Client(settings)
    fresh.on('error', () => reconnect(fresh))
    fresh.on('end', () => reconnect(fresh))
    fresh.on('notification', ({ payload }) => heard(payload ?? ''))
    client = fresh
    await fresh.connect()
    await fresh.query(`listen ${channel}`)
    await fresh.query(`select pg_advisory_lock(${alivenessLock}, ${node})`)
    sending = undefined
    opened()
  }

  function reconnect(lost: pg.Client): void {
    if (isClosed || client !== lost) return
    client = undefined
    setTimeout(() => {
      // A connection that does not come to listen is ended, and its end calls this again.
      if (!isClosed) connect().catch(() => client?.end())
    }, reconnectDelayMs).unref()
  }

  return {
    open: () => (connected ??= connect()),
    send(payload) {
      // A connection takes one statement at a time.
      const current = client
      const sent = Promise.resolve(sending).then(() =>
        current?.query(`select pg_notify('${channel}', $1)`, [payload]),
      )
      sending = sent.catch(() => {})
      return sent
    },
    async close() {
      isClosed = true
      await client?.end()
    },
  }
}
