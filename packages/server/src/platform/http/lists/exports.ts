import { pipeline, Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../refusals.ts'
import { defaultTimeouts } from '../admission/connections.ts'
import type { ServerParts } from '../admission/parts.ts'
import type { ApiRoute, Call, FileResponse, ListRoute, ReadRoute } from '../commands/route.ts'
import { acceptedValues, preferredMediaType } from './accept.ts'
import { columnsOf, csvHeader, csvLines } from './csv.ts'
import type { ExportPace } from './export-pace.ts'
import { readRows } from './lists.ts'
import { createSlots } from './slots.ts'
import { isAdmitted } from './streams.ts'

const maxExports = 50 // concurrent exports on a node
const maxExportsOfSpace = 2 // limit: concurrent exports of one Space on a node
const rowsAtOnce = 100
/** Number of rows that an export writes at a time. While it writes them, the node serves no other requests. */
const rowsOfPiece = 10 // export rows written before other requests get a turn

export type ExportFormat = 'csv' | 'ndjson'

const mediaTypes = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const

/**
 * Returns the file format that the client prefers for a list. Returns `undefined` if the client prefers pages
 * of JSON, and for HEAD requests, which would otherwise read the whole list unnecessarily.
 */
export function exportFormatOf(request: FastifyRequest): ExportFormat | undefined {
  const type = preferredFileType(request, Object.values(mediaTypes))
  return type === mediaTypes.csv ? 'csv' : type === mediaTypes.ndjson ? 'ndjson' : undefined
}

/** Returns the file that the client prefers for an object, or `undefined` if it prefers JSON. */
export function fileOf({ files }: ReadRoute, call: Call, request: FastifyRequest) {
  const type = files && preferredFileType(request, Object.keys(files))
  const file = type === undefined ? undefined : files?.[type]
  if (type === undefined || !file) return undefined
  return async (): Promise<FileResponse> => ({
    type,
    ...(await file.open(call, request.headers['accept-language'])),
  })
}

/** Returns the media type of the file that the client prefers, or `undefined` if it prefers JSON. */
function preferredFileType({ method, headers }: FastifyRequest, files: string[]): string | undefined {
  const types = ['application/json', ...files]
  const type = preferredMediaType(headers.accept, types)
  if (type === undefined)
    throw new Refusal('not_acceptable', {
      details: [{ param: 'Accept', errors: [`must accept one of ${types.join(', ')}`] }],
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

/** Returns the part of the HTTP server that serves lists and objects as files. */
export function openExports(
  server: FastifyInstance,
  { gate, timeouts: { stalledExportMs } = defaultTimeouts }: ServerParts,
): Exports {
  const stopping = new AbortController()
  server.addHook('preClose', async () => stopping.abort())
  const take = createSlots({ ofNode: maxExports, ofSpace: maxExportsOfSpace })
  return {
    async respond(route, open, call, request, reply) {
      take(call.scope.spaceId, reply)
      const { type, name, chunks } = await open()
      // The first chunk is read before anything is sent to the client. If reading fails, a refusal can
      // therefore still be sent.
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
      if (!acceptedValues(request.headers['accept-encoding']).includes('gzip')) return reply.send(body)
      // If the export fails, the gzip stream is left incomplete, so that the client notices the failure.
      return reply.header('content-encoding', 'gzip').send(pipeline(body, createGzip(), () => {}))
    },
  }
}

/** Exports a filtered list as a file, in list order. */
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

/** Yields the text of an export, with a pause after each piece if necessary. */
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
      ? csvLines(columns, entries)
      : entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
  }
  // The header is sent with the first rows, so that the request can still be refused if the first read fails.
  let head = format === 'csv' ? csvHeader(columns) : ''
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

/**
 * Closes the connection of a client that stops reading, even at the end of the file, because an open connection
 * occupies a slot.
 */
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

/** Fails the export when the token loses access, because a file that ended normally would look complete. */
async function* from(
  first: IteratorResult<string | Buffer, unknown>,
  rest: FileResponse['chunks'],
  mayGoOn: () => Promise<boolean>,
) {
  try {
    for (let next = first; !next.done; next = await rest.next()) {
      if (next !== first && !(await mayGoOn())) throw new Error('the token lost access during an export')
      yield next.value
    }
  } finally {
    await rest.return?.()
  }
}
