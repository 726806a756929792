import pg from 'pg'

const reconnectDelayMs = 500
const channel = 'pesewa'
/** Distinguishes these from other advisory locks. */
export const alivenessLock = 715_002

export type Listener = {
  /** Starts listening; resolves once connected. */
  open(): Promise<void>
  /** Notifies all listening nodes. Without a connection, the notification is dropped. */
  send(payload: string): Promise<unknown>
  close(): Promise<void>
}

/**
 * A node's one connection outside the pool, reopened when lost. It sends and receives notifications, and holds
 * the lock that shows the node is alive, which PostgreSQL releases when the process ends. `opened` is called
 * after each connect, because notifications may have been missed.
 * See docs/decisions/0012-nodes-coordinate-through-postgres.md.
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
      // If listening fails, the connection is closed, which calls this again.
      if (!isClosed) connect().catch(() => client?.end())
    }, reconnectDelayMs).unref()
  }

  return {
    open: () => (connected ??= connect()),
    send(payload) {
      // A connection runs one statement at a time.
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
