import { pipeline, Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { Refusal } from '../../refusals.ts'
import type { Scope } from '../../scope.ts'
import { defaultTimeouts } from '../admission/connections.ts'
import type { ServerParts } from '../admission/parts.ts'
import type { ApiRoute, Call, FileResponse, ListRoute, ReadRoute, Stretches } from '../commands/route.ts'
import { acceptedValues, preferredMediaType } from './accept.ts'
import { columnsOf } from './columns.ts'
import { createCsvWriter } from './csv.ts'
import type { ExportPace } from './export-pace.ts'
import { readRows } from './lists.ts'
import { createLocalTime } from './local-time.ts'
import { createSlots } from './slots.ts'
import { isAdmitted } from './streams.ts'
import { xlsxType } from './workbook.ts'

const maxExports = 50 // concurrent exports on a node
const maxExportsOfSpace = 2 // limit: concurrent exports of one Space on a node
const rowsAtOnce = 100
/** Number of rows that an export writes at a time. While it writes them, the node serves no other requests. */
const rowsOfPiece = 10 // export rows written before other requests get a turn

const mediaTypes = { csv: 'text/csv', ndjson: 'application/x-ndjson', xlsx: xlsxType } as const

export type ExportFormat = keyof typeof mediaTypes

/** Formats of lists. Objects that are tables have the same, except for lines of JSON. */
const listFormats = ['csv', 'ndjson', 'xlsx'] as const
const tableFormats = ['csv', 'xlsx'] as const

/** Media types in which an object that is a table can be downloaded. */
export const tableTypes = tableFormats.map((format) => mediaTypes[format])

/**
 * Returns the file format that the client prefers for a list. Returns `undefined` if the client prefers pages
 * of JSON, and for HEAD requests, which would otherwise read the whole list unnecessarily.
 */
export function exportFormatOf(request: FastifyRequest): ExportFormat | undefined {
  const type = preferredFileType(request, Object.values(mediaTypes))
  return listFormats.find((format) => mediaTypes[format] === type)
}

/** The dependencies of exports. */
type ExportParts = Pick<ServerParts, 'platform' | 'timeZoneOf'> & { pace: ExportPace }

/** Returns the function that opens the file that the client prefers for an object: `undefined` for JSON. */
export function fileOf(
  parts: ExportParts,
  { files = {}, table }: ReadRoute,
  call: Call,
  request: FastifyRequest,
) {
  const types = [...(table ? tableTypes : []), ...Object.keys(files)]
  const type = types.length > 0 ? preferredFileType(request, types) : undefined
  const file = type === undefined ? undefined : files[type]
  if (type !== undefined && file)
    return async (): Promise<FileResponse> => ({
      type,
      ...(await file.open(call, request.headers['accept-language'])),
    })
  const format = tableFormats.find((format) => mediaTypes[format] === type)
  if (!table || !format) return undefined
  return async (): Promise<FileResponse> => {
    const { name, stretches } = await table.open(call)
    const writer = await createWriter(parts, format, { title: name, shape: table.shape, scope: call.scope })
    return {
      type: mediaTypes[format],
      name: `${name}.${format}`,
      chunks: write(writer, stretches, parts.pace),
    }
  }
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
      const isText = type.startsWith('text/') || type === mediaTypes.ndjson
      reply.headers({
        'content-type': isText ? `${type}; charset=utf-8` : type,
        'content-disposition': `attachment; filename="${name}"`,
        vary: 'accept, accept-encoding',
      })
      // Files of other types are compressed already.
      if (!isText || !acceptedValues(request.headers['accept-encoding']).includes('gzip'))
        return reply.send(body)
      // If the export fails, the gzip stream is left incomplete, so that the client notices the failure.
      return reply.header('content-encoding', 'gzip').send(pipeline(body, createGzip(), () => {}))
    },
  }
}

/** Exports a filtered list as a file, in list order. */
export async function fileOfList(
  parts: ExportParts,
  route: ListRoute,
  format: ExportFormat,
  call: Call,
  hide = (entry: unknown) => entry,
): Promise<FileResponse> {
  const { db, seals } = parts.platform
  const title = nameOf(route)
  const writer = await createWriter(parts, format, { title, shape: route.result, scope: call.scope })
  const rows = (rows: unknown[]) => writer.rows(rows.map((row) => hide(route.present(row, call))))
  const stretches = readRows(db, seals, route, call, rowsAtOnce)
  return {
    type: mediaTypes[format],
    name: `${title}.${format}`,
    chunks: write({ ...writer, rows }, stretches, parts.pace),
  }
}

const nameOf = ({ url }: ListRoute) => url.split('/').findLast((part) => !part.startsWith(':')) ?? 'list'

/** Writes a file, piece by piece. Each method returns the next part of the file, which may be empty. */
type FileWriter = { rows(entries: unknown[]): string | Buffer; end(): string | Buffer }

async function createWriter(
  { timeZoneOf }: ExportParts,
  format: ExportFormat,
  { title, shape, scope }: { title: string; shape: TSchema; scope: Scope },
): Promise<FileWriter> {
  switch (format) {
    case 'csv':
      return createCsvWriter(columnsOf(shape))
    case 'xlsx': {
      // This module is loaded on demand, because few processes write spreadsheets.
      const { createXlsxWriter } = await import('./xlsx.ts')
      return createXlsxWriter(title, columnsOf(shape), createLocalTime(await timeZoneOf(scope)))
    }
    case 'ndjson':
      return {
        rows: (entries) => entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''),
        end: () => '',
      }
  }
}

/**
 * Yields the parts of a file, with a pause after each piece if necessary. Nothing is yielded before the first rows
 * have been read, so the request can still be refused if that fails.
 */
async function* write(
  writer: FileWriter,
  stretches: Stretches,
  pace: ExportPace,
): AsyncGenerator<string | Buffer, void> {
  for await (const rows of stretches)
    for (let i = 0; i < rows.length; i += rowsOfPiece) {
      const part = await pace.run(() => writer.rows(rows.slice(i, i + rowsOfPiece)))
      if (part.length > 0) yield part
    }
  const last = await pace.run(() => writer.end())
  if (last.length > 0) yield last
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
