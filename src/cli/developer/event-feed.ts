import { setTimeout as pause } from 'node:timers/promises'
import { type ApiClient, Unreachable } from './api-client.ts'

/** An event from the stream. `json` is its text exactly as received. */
export type FeedEvent = {
  id: string
  type: string
  timestamp: string
  object: { id: string; type: string }
  data: Record<string, unknown>
  json: string
}

type Stream = AsyncIterable<string>
type Say = (line: string) => void

const firstWaitMs = 1_000 // `pesewa listen`: initial wait before reconnecting, doubled after each attempt
const maxWaitMs = 30_000 // `pesewa listen`: longest wait before reconnecting

/**
 * Yields each event once, in order. If the stream is interrupted, resumes it after the last event. A refusal is
 * always thrown, but a connection error is thrown only if it occurs on the first attempt.
 */
export async function openFeed(
  api: ApiClient,
  since: string | undefined,
  say: Say,
): Promise<AsyncGenerator<FeedEvent>> {
  // Reads the position first, so that a stream that breaks before its first event resumes without skipping
  // events.
  const position = since ?? (await newestEvent(api))
  return follow(api, position, await api.stream(position), say)
}

async function* follow(
  api: ApiClient,
  position: string | undefined,
  stream: Stream,
  say: Say,
): AsyncGenerator<FeedEvent> {
  for (;;) {
    let trouble = 'The service closed the event stream.'
    try {
      for await (const event of readEvents(stream)) {
        position = event.id
        yield event
      }
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error
      trouble = error.message
    }
    const again = await connectAgain(api, position, trouble, say)
    for (const event of again.missed) {
      position = event.id
      yield event
    }
    stream = again.stream
  }
}

type Again = { missed: FeedEvent[]; stream: Stream }

async function connectAgain(
  api: ApiClient,
  position: string | undefined,
  trouble: string,
  say: Say,
): Promise<Again> {
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(2 * waitMs, maxWaitMs)) {
    say(`${trouble} Reconnecting in ${waitMs / 1_000} s.`)
    await pause(waitMs)
    try {
      // If the Space had no events before, all events are new.
      const missed = position ? [] : await allEvents(api)
      const stream = await api.stream(position ?? missed.at(-1)?.id)
      say('Reconnected.')
      return { missed, stream }
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error
      trouble = error.message
    }
  }
}

const newestEvent = async (api: ApiClient): Promise<string | undefined> =>
  (await api.get<{ id: string }[]>('/v1/events?limit=1'))[0]?.id

/** Returns all events of the Space, oldest first. */
const allEvents = async (api: ApiClient): Promise<FeedEvent[]> =>
  (await api.list<object>('/v1/events')).reverse().map((event) => readEvent(JSON.stringify(event)))

const readEvent = (json: string): FeedEvent => ({ ...JSON.parse(json), json })

/** Yields the events of a stream. Ignores comments, which only keep the connection alive. */
export async function* readEvents(stream: Stream): AsyncGenerator<FeedEvent> {
  let text = ''
  for await (const chunk of stream) {
    text += chunk
    const frames = text.split('\n\n')
    text = frames.pop() ?? ''
    for (const frame of frames) {
      const json = /^data: (.*)$/m.exec(frame)?.[1]
      if (json !== undefined) yield readEvent(json)
    }
  }
}
