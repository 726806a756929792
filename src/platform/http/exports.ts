import { pipeline, Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../refusals.ts'
import { acceptedBy, mediaTypeAccepted } from './accept.ts'
import { usualPatience } from './connections.ts'
import { columnsOf, headerOf, linesOf } from './csv.ts'
import type { ExportPace } from './export-pace.ts'
import { readRows } from './lists.ts'
import type { ServerParts } from './parts.ts'
import type { ApiRoute, Call, FileResponse, ListRoute, ReadRoute } from './route.ts'
import { createSlots } from './slots.ts'
import { isAdmitted } from './streams.ts'

const maxExports = 50 // limit: exports that a node writes at once
const maxExportsOfSpace = 2 // limit: exports of one Space that a node writes at once
const rowsAtOnce = 100 // limit: rows of an export that are read at once
/** Nobody else is served while these are written. */
const rowsOfPiece = 10 // limit: rows of an export that are written before others have their turn

export type ExportFormat = 'csv' | 'ndjson'

const mediaTypes = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const

/** What a client wants a list as: a file, or else (`undefined`) a page of JSON. A HEAD would read all of it for nobody. */
export function exportFormatOf(request: FastifyRequest): ExportFormat | undefined {
  const type = typeFor(request, Object.values(mediaTypes))
  return type === mediaTypes.csv ? 'csv' : type === mediaTypes.ndjson ? 'ndjson' : undefined
}

/** The file that a client wants an object as, or else (`undefined`) JSON. */
export function fileOf({ files }: ReadRoute, call: Call, request: FastifyRequest) {
  const type = files && typeFor(request, Object.keys(files))
  const file = type === undefined ? undefined : files?.[type]
  if (type === undefined || !file) return undefined
  return async (): Promise<FileResponse> => ({
    type,
    ...(await file.open(call, request.headers['accept-language'])),
  })
}

/** Which of the types of files a client wants; `undefined`: JSON. */
function typeFor({ method, headers }: FastifyRequest, files: string[]): string | undefined {
  const types = ['application/json', ...files]
  const type = mediaTypeAccepted(headers.accept, types)
  if (type === undefined)
    throw new Refusal('not_acceptable', {
      details: [{ param: 'Accept', errors: [`must take one of ${types.join(', ')}`] }],
    })
  return method === 'GET' && type !== types[0] ? type : undefined
}

export type Exports = {
  respond(
    route: ApiRoute,
    open: () => FileResponse | Promise<FileResponse>,
    call: Call,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply>
}

/** Lists and objects as files. */
export function openExports(
  server: FastifyInstance,
  { gate, patience: { stalledExportMs } = usualPatience }: ServerParts,
): Exports {
  const stopping = new AbortController()
  server.addHook('preClose', async () => stopping.abort())
  const take = createSlots({ ofNode: maxExports, ofSpace: maxExportsOfSpace })
  return {
    async respond(route, open, call, request, reply) {
      take(call.scope.spaceId, reply)
      const { type, name, chunks } = await open()
      // What is refused is refused before anything was written.
      const first = await chunks.next()
      const mayGoOn = () => isAdmitted(gate, route, request)
      const watched = endStalled(from(first, chunks, mayGoOn), reply, stalledExportMs)
      const body = Readable.from(watched, { highWaterMark: 1, signal: stopping.signal })
      reply.headers({
        'content-type':
          type.startsWith('text/') || type === mediaTypes.ndjson ? `${type}; charset=utf-8` : type,
        'content-disposition': `attachment; filename="${name}"`,
        vary: 'accept, accept-encoding',
      })
      if (!acceptedBy(request.headers['accept-encoding']).includes('gzip')) return reply.send(body)
      // Whoever reads learns of a failure by the end that is missing.
      return reply.header('content-encoding', 'gzip').send(pipeline(body, createGzip(), () => {}))
    },
  }
}

/** A list as a file: all that its filters leave, in its order. */
export const fileOfList = (
  { db, seals }: ServerParts['platform'],
  route: ListRoute,
  format: ExportFormat,
  call: Call,
  pace: ExportPace,
  hide?: (entry: unknown) => unknown,
): FileResponse => ({
  type: mediaTypes[format],
  name: `${nameOf(route)}.${format}`,
  chunks: textsOf(route, format, call, pace, readRows(db, seals, route, call, rowsAtOnce), hide),
})

const nameOf = ({ url }: ListRoute) => url.split('/').findLast((part) => !part.startsWith(':')) ?? 'list'

/** The text of an export, piece by piece, each in its turn. */
async function* textsOf(
  route: ListRoute,
  format: ExportFormat,
  call: Call,
  pace: ExportPace,
  stretches: AsyncGenerator<unknown[], void>,
  hide = (entry: unknown) => entry,
): AsyncGenerator<string, void> {
  const columns = columnsOf(route.result)
  const write = (rows: unknown[]) => {
    const entries = rows.map((row) => hide(route.present(row, call)))
    return format === 'csv'
      ? linesOf(columns, entries)
      : entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
  }
  // With the first rows, so that nothing is written before they could be read.
  let head = format === 'csv' ? headerOf(columns) : ''
  for (;;) {
    const { done, value: rows } = await stretches.next()
    if (done) return
    if (rows.length === 0) yield head
    for (let i = 0; i < rows.length; i += rowsOfPiece) {
      const text = await pace.run(() => write(rows.slice(i, i + rowsOfPiece)))
      yield head + text
      head = ''
    }
    head = ''
  }
}

/** Ends a connection whose client takes nothing more, also of what is left at the end: until then it holds its place. */
async function* endStalled<T>(chunks: AsyncIterable<T>, { raw }: FastifyReply, stalledMs: number) {
  let timer: NodeJS.Timeout | undefined
  const watch = () => {
    timer = setTimeout(() => raw.destroy(), stalledMs).unref()
  }
  raw.once('close', () => clearTimeout(timer))
  for await (const chunk of chunks) {
    watch()
    yield chunk
    clearTimeout(timer)
  }
  if (!raw.closed) watch()
}

/** Fails once the token has lost its right: a file that ended in good order would be taken for the whole. */
async function* from(
  first: IteratorResult<string | Buffer, unknown>,
  rest: FileResponse['chunks'],
  mayGoOn: () => Promise<boolean>,
) {
  try {
    for (let next = first; !next.done; next = await rest.next()) {
      if (next !== first && !(await mayGoOn())) throw new Error('the token of an export lost its right')
      yield next.value
    }
  } finally {
    await rest.return?.()
  }
}
