import { AsyncResource } from 'node:async_hooks'

/**
 * Called when there is something new on a channel. `about` identifies it; if it is `undefined`, anything may be
 * new.
 */
export type Heard = (about: string | undefined) => void

/** Wakes listeners when there is work: immediately on this node, and through notifications on other nodes. */
export type Wakes = {
  wake(channel: string, about?: string): void
  /** Adds a listener to a channel, and returns a function that removes it. */
  on(channel: string, heard: Heard): () => void
  /** Handles a notification from another node. */
  receive(payload: string): void
  /**
   * Wakes the listeners of every channel, because notifications may have been missed, and announces this node
   * to the others.
   */
  receiveAnything(): void
}

/**
 * Because PostgreSQL commits transactions with notifications one at a time, each node combines its
 * notifications and sends at most one per interval.
 */
const sendEveryMs = 10 // interval between two notifications from a node
// PostgreSQL accepts payloads of less than 8000 bytes.
const maxPayloadBytes = 7_000

/**
 * A notification with the number of the sending node and what is new on each channel. An empty list means that
 * anything may be new.
 */
type Message = { node: number; wakes: [channel: string, abouts: string[]][]; isGreeting?: true }

/**
 * Wakes listeners on this node, and on others through `send`, which notifies all nodes. While a node does not
 * know of any others, it sends only a greeting, which other nodes answer. Lost notifications do no harm,
 * because listeners also poll.
 */
export function createWakes(node: number, send: (payload: string) => Promise<unknown>): Wakes {
  const waiting = new Map<string, Set<Heard>>()
  /** What is new on each channel; `undefined` means that anything may be new. */
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
    // Changes from the same event loop turn are sent together.
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

/**
 * Serializes a message. If its details exceed the size limit, they are left out, and the message only says that
 * anything may be new on its channels.
 */
function write(message: Message): string {
  const payload = JSON.stringify(message)
  if (Buffer.byteLength(payload) <= maxPayloadBytes) return payload
  return JSON.stringify({ ...message, wakes: message.wakes.map(([channel]) => [channel, []]) })
}

/**
 * Parses a payload. Anyone with access to the database can send notifications, so the payload may not be one of
 * ours. In this case, returns `undefined`.
 */
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
