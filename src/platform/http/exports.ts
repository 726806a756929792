import { pipeline, Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { acceptedBy } from './accept.ts'
import { columnsOf, headerOf, linesOf } from './csv.ts'
import { jsonOf } from './json.ts'
import { readRows } from './lists.ts'
import type { ServerParts } from './parts.ts'
import type { Call, ListRoute } from './route.ts'
import { createSlots } from './slots.ts'
import { isAdmitted } from './streams.ts'

const maxExports = 50 // limit: exports that a node writes at once
const maxExportsOfSpace = 5 // limit: exports of one Space that a node writes at once
/** Others wait while these are written. */
const rowsAtOnce = 100 // limit: rows of an export that are read at once

export type ExportFormat = 'csv' | 'ndjson'

const mediaTypes = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const

/** What a client wants a list as: a file, or else (`undefined`) a page of JSON. A HEAD would read all of it for nobody. */
export function exportFormatOf({ method, headers }: FastifyRequest): ExportFormat | undefined {
  if (method !== 'GET') return undefined
  const [first] = acceptedBy(headers.accept)
  return first === mediaTypes.csv ? 'csv' : first === mediaTypes.ndjson ? 'ndjson' : undefined
}

export type Exports = {
  respond(
    route: ListRoute,
    format: ExportFormat,
    call: Call,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply>
}

/** Lists as files: all that their filters leave, in the order of the list, written as fast as the client reads. */
export function openExports(
  server: FastifyInstance,
  { platform: { db, seals }, gate }: ServerParts,
): Exports {
  const stopping = new AbortController()
  server.addHook('preClose', async () => stopping.abort())
  const take = createSlots({ ofNode: maxExports, ofSpace: maxExportsOfSpace })
  return {
    async respond(route, format, call, request, reply) {
      take(call.scope.spaceId, reply)
      const chunks = textsOf(route, format, call, readRows(db, seals, route, call, rowsAtOnce))
      // What is refused is refused before anything was written.
      const first = await chunks.next()
      const mayGoOn = () => isAdmitted(gate, route, request)
      const body = Readable.from(from(first, chunks, mayGoOn), { highWaterMark: 1, signal: stopping.signal })
      reply.headers({
        'content-type': `${mediaTypes[format]}; charset=utf-8`,
        'content-disposition': `attachment; filename="${nameOf(route)}.${format}"`,
        vary: 'accept, accept-encoding',
      })
      if (!acceptedBy(request.headers['accept-encoding']).includes('gzip')) return reply.send(body)
      // Whoever reads learns of a failure by the end that is missing.
      return reply.header('content-encoding', 'gzip').send(pipeline(body, createGzip(), () => {}))
    },
  }
}

const nameOf = ({ url }: ListRoute) => url.split('/').findLast((part) => !part.startsWith(':')) ?? 'list'

/** The text of an export, a stretch of rows at a time. */
async function* textsOf(
  route: ListRoute,
  format: ExportFormat,
  call: Call,
  stretches: AsyncIterable<unknown[]>,
): AsyncGenerator<string, void> {
  const columns = columnsOf(route.result)
  // With the first rows, so that nothing is written before they could be read.
  let head = format === 'csv' ? headerOf(columns) : ''
  for await (const rows of stretches) {
    const entries = rows.map((row) => route.present(row, call))
    yield head +
      (format === 'csv' ? linesOf(columns, entries) : entries.map((entry) => `${jsonOf(entry)}\n`).join(''))
    head = ''
  }
}

/** Fails once the token has lost its right: a file that ended in good order would be taken for the whole. */
async function* from(
  first: IteratorResult<string, void>,
  rest: AsyncIterable<string>,
  mayGoOn: () => Promise<boolean>,
) {
  if (first.done) return
  yield first.value
  for await (const text of rest) {
    if (!(await mayGoOn())) throw new Error('the token of an export lost its right')
    yield text
  }
}
