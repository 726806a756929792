import pg from 'pg'

const reconnectDelayMs = 500
const channel = 'pesewa'
/** Sets these apart from other advisory locks. */
export const alivenessLock = 715_002

/**
 * The one connection that a node keeps beside its pool, opened again when it is lost: it hears and sends notifications,
 * and shows that the node lives by a lock, which PostgreSQL drops with the process.
 */
export class Listener {
  #client: pg.Client | undefined
  #connected: Promise<void> | undefined
  #sending: Promise<unknown> | undefined
  #isClosed = false
  readonly settings: pg.ClientConfig
  readonly node: number
  readonly heard: (payload: string) => void
  /** Called when it listens, and again after each loss: something may have been missed. */
  readonly opened: () => void

  constructor(
    settings: pg.ClientConfig,
    node: number,
    { heard, opened }: { heard: (payload: string) => void; opened: () => void },
  ) {
    this.settings = settings
    this.node = node
    this.heard = heard
    this.opened = opened
  }

  /** Listens from here on; the first who asks for it waits for the connection. */
  open(): Promise<void> {
    this.#connected ??= this.#connect()
    return this.#connected
  }

  async #connect(): Promise<void> {
    const client = new pg.Client(this.settings)
    client.on('error', () => this.#reconnect(client))
    client.on('end', () => this.#reconnect(client))
    client.on('notification', ({ payload }) => this.heard(payload ?? ''))
    this.#client = client
    await client.connect()
    await client.query(`listen ${channel}`)
    await client.query(`select pg_advisory_lock(${alivenessLock}, ${this.node})`)
    this.#sending = undefined
    this.opened()
  }

  #reconnect(client: pg.Client): void {
    if (this.#isClosed || this.#client !== client) return
    this.#client = undefined
    setTimeout(() => {
      // A connection that does not come to listen is ended, and its end calls this again.
      if (!this.#isClosed) this.#connect().catch(() => this.#client?.end())
    }, reconnectDelayMs).unref()
  }

  /** To all nodes that listen. While there is no connection nobody is notified. */
  send(payload: string): Promise<unknown> {
    // A connection takes one statement at a time.
    const client = this.#client
    const sent = Promise.resolve(this.#sending).then(() =>
      client?.query(`select pg_notify('${channel}', $1)`, [payload]),
    )
    this.#sending = sent.catch(() => {})
    return sent
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#client?.end()
  }
}
