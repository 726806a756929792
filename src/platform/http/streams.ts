import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../refusals.ts'
import { mayCall } from './admission.ts'
import type { Gate } from './gate.ts'
import type { ApiRoute, Call, StreamRoute } from './route.ts'

export type Streams = {
  respond(route: StreamRoute, call: Call, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>
}

const maxStreams = 500 // limit: event streams of a node
const maxStreamsOfSpace = 20 // limit: event streams of one Space on a node
const stuckAfterMs = 60_000 // limit: time until a stream is ended whose client reads nothing

/** Responses that go on until the client leaves, the node stops, or the token loses its right. */
export function openStreams(server: FastifyInstance, gate: Gate): Streams {
  const stopping = new AbortController()
  server.addHook('preClose', async () => stopping.abort())
  const openOf = new Map<string, number>()
  let openInAll = 0

  const count = (spaceId: string, by: 1 | -1) => {
    const open = (openOf.get(spaceId) ?? 0) + by
    if (open === 0) openOf.delete(spaceId)
    else openOf.set(spaceId, open)
    openInAll += by
  }

  return {
    async respond(route, call, request, reply) {
      const { spaceId } = call.scope
      if (stopping.signal.aborted || openInAll >= maxStreams) throw busy('service_unavailable')
      if ((openOf.get(spaceId) ?? 0) >= maxStreamsOfSpace) throw busy('too_many_requests')
      const lastEventId = request.headers['last-event-id']
      const source = await route.open(call, lastEventId === undefined ? undefined : String(lastEventId))

      const left = new AbortController()
      const signal = AbortSignal.any([left.signal, stopping.signal])
      const chunks = whileAdmitted(source(signal), () => isAdmitted(gate, route, request))
      const body = Readable.from(chunks, { highWaterMark: 1 })
      count(spaceId, 1)
      reply.raw.once('close', () => {
        count(spaceId, -1)
        left.abort()
      })
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

const busy = (reason: 'service_unavailable' | 'too_many_requests') =>
  new Refusal(reason, { headers: { 'retry-after': '5' } })

/** Checked again before each chunk: a token that was revoked gets no more. */
async function* whileAdmitted(chunks: AsyncIterable<string>, mayGoOn: () => Promise<boolean>) {
  for await (const chunk of chunks) {
    if (!(await mayGoOn())) return
    yield chunk
  }
}

/** Whether a request would be admitted now, as it was when it came. */
export async function isAdmitted(gate: Gate, route: ApiRoute, request: FastifyRequest): Promise<boolean> {
  try {
    const caller = await gate.authenticate(request.headers.authorization, request.ip)
    const access = await gate.enter(caller, String(request.headers['service-space-id']), request.ip)
    return mayCall(route, access)
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
