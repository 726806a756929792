import { AsyncResource } from 'node:async_hooks'

/** Called when something is new: about `about`, or about anything if `undefined`. */
export type Heard = (about: string | undefined) => void

/** Wakes listeners when there is work: at once on this node, by notification on others. */
export type Wakes = {
  wake(channel: string, about?: string): void
  /** Returns a function that unsubscribes. */
  on(channel: string, heard: Heard): () => void
  /** Handles a message from another node. */
  receive(payload: string): void
  /** Wakes every channel, because notifications may have been missed, and announces this node to the others. */
  receiveAnything(): void
}

/**
 * Each node combines its notifications and sends at most one per interval, because PostgreSQL commits them one
 * at a time.
 */
const sendEveryMs = 10 // interval between two notifications of a node
// PostgreSQL accepts less than 8000 bytes.
const maxPayloadBytes = 7_000

/** A notification: the sending node, and what is new by channel; `[]` means anything. */
type Message = { node: number; wakes: [channel: string, abouts: string[]][]; isGreeting?: true }

/**
 * `send` notifies all nodes. A node that knows of no others sends only its greeting, which others answer. Lost
 * notifications do no harm, because listeners also poll.
 */
export function createWakes(node: number, send: (payload: string) => Promise<unknown>): Wakes {
  const waiting = new Map<string, Set<Heard>>()
  /** What is new by channel; `undefined` means anything. */
  let unsent = new Map<string, Set<string> | undefined>()
  let isAlone = true
  let isSending = false

  const hear = (channel: string, about: string | undefined) => {
    for (const heard of waiting.get(channel) ?? []) heard(about)
  }
  const sendSoon = () => {
    if (isSending || unsent.size === 0) return
    isSending = true
    const payload = write({
      node,
      wakes: [...unsent].map(([channel, abouts]) => [channel, [...(abouts ?? [])]]),
    })
    unsent = new Map()
    void Promise.all([send(payload).catch(() => {}), pause(sendEveryMs)]).then(() => {
      isSending = false
      sendSoon()
    })
  }
  const note = (channel: string, about: string | undefined) => {
    if (about === undefined) unsent.set(channel, undefined)
    else if (!unsent.has(channel)) unsent.set(channel, new Set([about]))
    else unsent.get(channel)?.add(about)
    // Changes from the same event loop turn go together.
    if (!isSending) setImmediate(sendSoon)
  }
  const present = (more: Pick<Message, 'isGreeting'> = {}) =>
    void send(write({ node, wakes: [], ...more })).catch(() => {})

  return {
    wake(channel, about) {
      hear(channel, about)
      if (!isAlone) note(channel, about)
    },
    on(channel, heard) {
      const all = waiting.get(channel) ?? new Set()
      // The listener must not run on behalf of the Space whose call woke it.
      const bound = AsyncResource.bind(heard)
      waiting.set(channel, all.add(bound))
      return () => void all.delete(bound)
    },
    receive(payload) {
      const message = read(payload)
      if (!message || message.node === node) return
      isAlone = false
      if (message.isGreeting) present()
      for (const [channel, abouts] of message.wakes)
        for (const about of abouts.length > 0 ? abouts : [undefined]) hear(channel, about)
    },
    receiveAnything() {
      for (const channel of waiting.keys()) hear(channel, undefined)
      present({ isGreeting: true })
    },
  }
}

/** If not everything fits, the message says that anything may be new. */
function write(message: Message): string {
  const payload = JSON.stringify(message)
  if (Buffer.byteLength(payload) <= maxPayloadBytes) return payload
  return JSON.stringify({ ...message, wakes: message.wakes.map(([channel]) => [channel, []]) })
}

/** Returns `undefined` for foreign payloads: anyone with access to the database can send one. */
function read(payload: string): Message | undefined {
  try {
    const message: Message = JSON.parse(payload)
    const isOurs = ([channel, abouts]: Message['wakes'][number]) =>
      typeof channel === 'string' && Array.isArray(abouts)
    return message.wakes.every(isOurs) ? message : undefined
  } catch {
    return undefined
  }
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms).unref())
