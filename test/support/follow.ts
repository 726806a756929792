import assert from 'node:assert/strict'
import { until } from './harness.ts'

// biome-ignore lint/suspicious/noExplicitAny: JSON from the wire
export type StreamedEvent = { id: string; type: string; data: any }

export type EventStream = {
  received: StreamedEvent[]
  /** Waits until this many events have arrived in total, and returns them. */
  take(count: number): Promise<StreamedEvent[]>
  ended: Promise<void>
  close(): void
}

/** Follows the event stream of a Space as an EventSource would. Throws if the stream is refused. */
export async function follow(
  baseUrl: string,
  { token, spaceId }: { token: string; spaceId: string },
  lastEventId?: string,
  path = '/v1/events/stream',
): Promise<EventStream> {
  const leaving = new AbortController()
  const answer = await fetch(baseUrl + path, {
    headers: {
      authorization: `Bearer ${token}`,
      'service-space-id': spaceId,
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    },
    signal: leaving.signal,
  })
  if (answer.status !== 200) {
    await answer.body?.cancel()
    throw new Error(`the stream responded with ${answer.status}`)
  }
  assert.equal(answer.headers.get('content-type'), 'text/event-stream; charset=utf-8')
  const received: StreamedEvent[] = []
  const opened = Promise.withResolvers<void>()
  const read = async () => {
    let text = ''
    const decoder = new TextDecoder()
    for await (const chunk of answer.body!) {
      opened.resolve()
      text += decoder.decode(chunk, { stream: true })
      const frames = text.split('\n\n')
      text = frames.pop()!
      received.push(...frames.filter((frame) => !frame.startsWith(':')).map(readFrame))
    }
  }
  const ended = read()
    .catch(() => {})
    .finally(() => opened.resolve())
  await opened.promise
  return {
    received,
    async take(count) {
      await until(() => received.length >= count)
      return received.slice(0, count)
    },
    ended,
    close: () => leaving.abort(),
  }
}

function readFrame(frame: string): StreamedEvent {
  const fields = Object.fromEntries(frame.split('\n').map((line) => line.split(/: (.*)/s, 2)))
  return { id: fields.id, type: fields.event, data: JSON.parse(fields.data) }
}
