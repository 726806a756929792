import { Readable } from 'node:stream'
import { must } from '@pesewa/values'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../refusals.ts'
import { accessOf, mayCall } from '../admission/admission.ts'
import type { Access, Gate } from '../admission/gate.ts'
import { exactJson } from '../commands/json.ts'
import type { ApiRoute, Call, EventSource, StreamedEvent, StreamRoute } from '../commands/route.ts'
import { createSlots } from './slots.ts'

export type Streams = {
  respond(
    route: StreamRoute,
    call: Call,
    request: FastifyRequest,
    reply: FastifyReply,
    hide?: (event: unknown) => unknown,
  ): Promise<FastifyReply>
}

const maxStreams = 500
const maxStreamsOfSpace = 20 // limit: concurrent event streams of one Space on a node
/** Clients reconnect after a random part of this time, so that they do not all reach the next node at once. */
const maxReconnectMs = 500
const stuckAfterMs = 60_000 // time after which a stream is closed if its client reads nothing

/** Serves event streams until the client disconnects, the node stops, or the token loses access. */
export function openStreams(server: FastifyInstance, gate: Gate): Streams {
  const stopping = new AbortController()
  server.addHook('preClose', async () => stopping.abort())
  const take = createSlots({ ofNode: maxStreams, ofSpace: maxStreamsOfSpace })

  return {
    async respond(route, call, request, reply, hide) {
      if (stopping.signal.aborted) {
        const cause = new Error('the node is shutting down')
        throw new Refusal('service_unavailable', { headers: { 'retry-after': '1' }, cause })
      }
      take(call.scope.spaceId, reply)
      const lastEventId = request.headers['last-event-id']
      const source = await route.open(call, lastEventId === undefined ? undefined : String(lastEventId))

      const left = new AbortController()
      const signal = AbortSignal.any([left.signal, stopping.signal])
      const admitted = whileAdmitted(source(signal), () => readmit(gate, route, request))
      const chunks = withFarewell(framesOf(admitted, hide), stopping.signal)
      const body = Readable.from(chunks, { highWaterMark: 1 })
      reply.raw.once('close', () => left.abort())
      const { socket } = request.raw
      socket.setTimeout(stuckAfterMs, () => socket.destroy())
      return reply
        .headers({
          'content-type': 'text/event-stream; charset=utf-8',
          'cache-control': 'no-store',
          'x-accel-buffering': 'no',
          connection: 'close',
        })
        .send(body)
    },
  }
}

/** Tells the client of a node that is shutting down to reconnect immediately. It continues after its last event. */
async function* withFarewell(frames: AsyncIterable<string>, stopping: AbortSignal): AsyncGenerator<string> {
  yield* frames
  if (stopping.aborted)
    yield `: the node is shutting down; reconnect\nretry: ${Math.ceil(Math.random() * maxReconnectMs)}\n\n`
}

/** Renders events as server-sent events. */
export async function* framesOf(
  source: ReturnType<EventSource>,
  hide?: (event: unknown) => unknown,
): AsyncGenerator<string> {
  const shown = (text: string) => (hide ? JSON.stringify(hide(exactJson(text))) : text)
  for await (const chunk of source)
    yield 'comment' in chunk
      ? `: ${chunk.comment}\n\n`
      : chunk.map(({ id, type, text }) => `id: ${id}\nevent: ${type}\ndata: ${shown(text)}\n\n`).join('')
}

/**
 * Checks access again before each chunk, so that a revoked token receives nothing more, and a member whose role has
 * changed only what the new role may read.
 */
async function* whileAdmitted(
  source: ReturnType<EventSource>,
  readmitted: () => Promise<Admitted | undefined>,
): AsyncGenerator<StreamedEvent[] | { comment: string }> {
  for await (const chunk of source) {
    const admitted = await readmitted()
    if (!admitted) return
    const isReadable = ({ permission }: StreamedEvent) =>
      permission === undefined || admitted.access?.may(permission)
    yield 'comment' in chunk ? chunk : chunk.filter(isReadable)
  }
}

/** A caller who is still admitted. `access` is undefined if the route requires no permission. */
type Admitted = { access: Access | undefined }

/** Returns whether a request that was admitted earlier would still be admitted now. */
export const isAdmitted = async (gate: Gate, route: ApiRoute, request: FastifyRequest): Promise<boolean> =>
  (await readmit(gate, route, request)) !== undefined

async function readmit(gate: Gate, route: ApiRoute, request: FastifyRequest): Promise<Admitted | undefined> {
  try {
    const caller = await gate.authenticate(
      must(request.credentials, 'credentials of an admitted request'),
      request.ip,
    )
    const access = await accessOf(gate, route, caller, request)
    return access === undefined || mayCall(route, access) ? { access } : undefined
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}
