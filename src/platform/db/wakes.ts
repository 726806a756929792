import { AsyncResource } from 'node:async_hooks'

/** Hears that there is something new, of what `about` names; without it, of anything. */
export type Heard = (about: string | undefined) => void

/** Who waits for work hears of it: on this node at once, on the others by a notification. */
export type Wakes = {
  wake(channel: string, about?: string): void
  /** Returns how to stop that. */
  on(channel: string, heard: Heard): () => void
  /** What another node has sent. */
  receive(payload: string): void
  /** Something may have been missed, on every channel; and other nodes are to know that this one is there. */
  receiveAnything(): void
}

/** A node sends one notification in so long at most, for everything of that time: PostgreSQL commits them one by one. */
const sendEveryMs = 10 // limit: time between two notifications of a node
// PostgreSQL takes less than 8000 bytes.
const maxPayloadBytes = 7_000 // limit: a notification

/** What a notification says: which node sends it, and what is new, by channel; `[]`: anything. */
type Message = { node: number; wakes: [channel: string, abouts: string[]][]; isGreeting?: true }

/**
 * `send` notifies all nodes. A node that has heard of no other sends nothing but its greeting, which others answer. What is
 * lost on the way is found later: whoever waits also polls.
 */
export function createWakes(node: number, send: (payload: string) => Promise<unknown>): Wakes {
  const waiting = new Map<string, Set<Heard>>()
  /** By channel what is new there; nothing: anything. */
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
    // What comes in the same turn goes together.
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
      // What is done then is not done for the Space whose call has woken it.
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

/** Where all cannot be named, anything may be new. */
function write(message: Message): string {
  const payload = JSON.stringify(message)
  if (Buffer.byteLength(payload) <= maxPayloadBytes) return payload
  return JSON.stringify({ ...message, wakes: message.wakes.map(([channel]) => [channel, []]) })
}

/** Nothing where it is none of ours: whoever may use the database can send one. */
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
