import pg from 'pg'

const reconnectDelayMs = 500

/** Hears a channel's notifications, on a connection of its own that is opened again when it is lost. */
export class Listener {
  #client: pg.Client | undefined
  #closed = false
  readonly settings: pg.ClientConfig
  readonly channel: string
  readonly heard: (payload: string | undefined) => void

  constructor(settings: pg.ClientConfig, channel: string, heard: (payload: string | undefined) => void) {
    this.settings = settings
    this.channel = channel
    this.heard = heard
  }

  async connect(): Promise<void> {
    const client = new pg.Client(this.settings)
    client.on('error', () => this.#reconnect(client))
    client.on('end', () => this.#reconnect(client))
    client.on('notification', (notification) => this.heard(notification.payload))
    this.#client = client
    await client.connect()
    await client.query(`listen ${client.escapeIdentifier(this.channel)}`)
    this.heard(undefined)
  }

  #reconnect(client: pg.Client): void {
    if (this.#closed || this.#client !== client) return
    this.#client = undefined
    setTimeout(() => {
      // A connection that does not come to listen is ended, and its end calls this again.
      if (!this.#closed) this.connect().catch(() => this.#client?.end())
    }, reconnectDelayMs).unref()
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#client?.end()
  }
}
