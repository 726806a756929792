import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { type Connection, createClient, PrimaryClient } from './servers.ts'

const reconnectDelayMs = 500
const pingEveryMs = 1_000 // interval at which a node with several database servers checks that the primary answers
const pingLimitMs = 3_000 // time after which it looks for another primary
const channel = 'pesewa'
/** First key of the advisory locks that living nodes hold. The second key is the node's number. */
export const alivenessLock = 715_002

export type Listener = {
  /** Starts listening and resolves once the connection is open. */
  open(): Promise<void>
  /** Sends a notification to all listening nodes. Without a connection, the notification is dropped. */
  send(payload: string): Promise<unknown>
  close(): Promise<void>
}

/**
 * Manages the one connection that a node keeps outside the pool, and reopens it when it is lost. The connection
 * sends and receives notifications, and holds the lock that shows that the node is alive. PostgreSQL releases
 * this lock when the process ends. `opened` is called each time the connection opens, because notifications may
 * have been missed. See docs/decisions/0012-nodes-coordinate-through-postgres.md.
 */
export function createListener(
  settings: Connection,
  node: number,
  { heard, opened }: { heard: (payload: string) => void; opened: () => void },
): Listener {
  let client: pg.Client | undefined
  let connected: Promise<void> | undefined
  let sending: Promise<unknown> | undefined
  let isClosed = false

  async function connect(): Promise<void> {
    const fresh = createClient(settings)
    fresh.on('error', () => reconnect(fresh))
    fresh.on('end', () => reconnect(fresh))
    fresh.on('notification', ({ payload }) => heard(payload ?? ''))
    client = fresh
    await fresh.connect()
    await fresh.query(`listen ${channel}`)
    await fresh.query(`select pg_advisory_lock(${alivenessLock}, ${node})`)
    sending = undefined
    opened()
    if (fresh instanceof PrimaryClient) keepPinging(fresh).catch(() => {})
  }

  function reconnect(lost: pg.Client): void {
    if (isClosed || client !== lost) return
    client = undefined
    setTimeout(() => {
      // If listening fails, the connection is closed, which calls this function again.
      if (!isClosed) connect().catch(() => client?.end())
    }, reconnectDelayMs).unref()
  }

  return {
    open: () => (connected ??= connect()),
    send(payload) {
      // A connection can run only one statement at a time, so each notification waits for the previous one.
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

/**
 * Notices that the primary has vanished, because a connection to such a server is not closed. Returns when a ping
 * fails, which closes the connection.
 */
async function keepPinging(client: PrimaryClient): Promise<never> {
  for (;;) {
    await sleep(pingEveryMs, undefined, { ref: false })
    await client.ping(pingLimitMs)
  }
}
