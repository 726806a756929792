import { type Fields, fieldsOf, must } from '@pesewa/values'
import Type, { type TSchema } from 'typebox'
import { createBatches } from '../../batches.ts'
import type { Database } from '../../db/database.ts'
import { argumentRefusal } from '../../refusals.ts'
import type { Seals } from '../../seals.ts'
import type { ApiRoute, Call, ListRoute, Page } from '../commands/route.ts'
import { object } from '../shapes/shapes.ts'
import { openCursor, sealCursor } from './cursor.ts'

const maxPageSize = 50 // limit: entries on a page of a list
export const defaultPageSize = 10 // limit: entries on a page if `limit` is not set

/** Query parameters of every list. */
export const paging = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: maxPageSize,
      default: defaultPageSize,
      description: 'Maximum number of entries to return.',
    }),
  ),
  after: Type.Optional(
    Type.String({ maxLength: 2000, description: 'Value of `pagination.next` from the previous page.' }), // limit: length of a cursor
  ),
}

const momentQuery = (description: string, example: string) =>
  Type.Optional(Type.String({ format: 'date-time', maxLength: 40, description, examples: [example] }))

/** Query parameters of lists whose entries have a time field. */
const times = (field: string) => ({
  from: momentQuery(`Only entries whose \`${field}\` is at or after this time.`, '2026-11-01T00:00:00Z'),
  to: momentQuery(
    `Only entries whose \`${field}\` is before this time. Must be later than \`from\`.`,
    '2026-12-01T00:00:00Z',
  ),
})

/** Returns the name of the time field of a list's entries, if they have one. */
const timeOf = ({ result }: ListRoute) =>
  ['createTime', 'timestamp'].find((field) => Type.IsObject(result) && field in result.properties)

/**
 * Returns the query schema of a route. It contains the route's own parameters and, for lists, those for time
 * ranges and paging.
 */
export function querySchema(route: ApiRoute): TSchema {
  const own = Type.IsObject(route.query) ? route.query.properties : {}
  if (route.kind !== 'list') return object(own)
  const time = timeOf(route)
  return object({ ...own, ...(time && times(time)), ...paging })
}

/** Returns the query schema of an export, in which `limit` restricts the whole file and has no maximum. */
export function exportQuerySchema(route: ListRoute): TSchema {
  const query = querySchema(route)
  return object({
    ...(Type.IsObject(query) ? query.properties : {}),
    limit: Type.Optional(Type.Integer({ minimum: 1 })),
  })
}

/**
 * Returns a function that responds to list calls. Identical concurrent requests with the same token, such as
 * polls, share one read, which starts after all of them have arrived, and the encoded response.
 */
export function openPages(seals: Seals, route: ListRoute): (call: Call) => Promise<Buffer> {
  const batches = createBatches<Call, Buffer>({
    run: async (calls) => {
      const answer = Buffer.from(await readPage(seals, route, must(calls[0], 'call in a batch')))
      return calls.map(() => ({ answer }))
    },
  })
  return (call) => {
    const { scope, tokenId, params, query } = call
    return batches.submit(JSON.stringify([scope.spaceId, tokenId, params, query]), call)
  }
}

/**
 * Returns how many entries a call requests and where they begin. `binding` identifies the query for which the
 * cursors are valid.
 */
function requestOf(seals: Seals, route: ListRoute, call: Call) {
  const { limit, after, ...filters } = fieldsOf(call.query)
  const binding = { ...call.scope, url: route.url, filters }
  return {
    binding,
    limit: typeof limit === 'number' ? limit : undefined,
    position: typeof after === 'string' ? openCursor(seals, binding, after) : undefined,
    times: timesOf(filters),
  }
}

function timesOf({ from, to }: Fields): Pick<Page, 'from' | 'to'> {
  const [begin, end] = [from, to].map((text) => (typeof text === 'string' ? Date.parse(text) : undefined))
  if (begin !== undefined && end !== undefined && end <= begin)
    throw argumentRefusal('to', 'must be later than `from`')
  return { from: momentOf(from), to: momentOf(to) }
}

const [earliestMs, latestMs] = [0, Date.UTC(9999, 11, 31)]

/**
 * Rounds a time up to the next millisecond, because the entries' times have millisecond precision, and limits
 * it to the supported range.
 */
function momentOf(text: unknown): Date | undefined {
  if (typeof text !== 'string') return undefined
  const isBetween = /\.\d{3}\d*[1-9]/.test(text)
  return new Date(Math.min(latestMs, Math.max(earliestMs, Date.parse(text) + Number(isBetween))))
}

async function readStretch(route: ListRoute, call: Call, page: Page) {
  const listed = await route.list(call, page)
  return Array.isArray(listed) ? { rows: listed, stoppedAt: undefined } : listed
}

/**
 * Yields all rows of a list that match the call, starting at its cursor. At most `atOnce` rows are read at a
 * time.
 */
export async function* readRows(db: Database, seals: Seals, route: ListRoute, call: Call, atOnce: number) {
  let { limit = Number.POSITIVE_INFINITY, position: after, times } = requestOf(seals, route, call)
  while (limit > 0) {
    const take = Math.min(atOnce, limit)
    const { rows, stoppedAt } = await db.within(call.scope.spaceId, () =>
      readStretch(route, call, { take, after, ...times }),
    )
    yield rows
    limit -= rows.length
    if (rows.length < take && stoppedAt === undefined) return
    after = rows.length < take ? stoppedAt : route.position(rows.at(-1))
  }
}

async function readPage(seals: Seals, route: ListRoute, call: Call): Promise<string> {
  const { binding, limit = defaultPageSize, position, times } = requestOf(seals, route, call)
  const page = { take: limit + 1, after: position, ...times }
  const { rows, stoppedAt } = await readStretch(route, call, page)
  const shown = rows.slice(0, limit)
  const goesOnAfter = rows.length > limit ? route.position(shown.at(-1)) : stoppedAt
  const next = goesOnAfter === undefined ? null : sealCursor(seals, binding, goesOnAfter)
  const entries = shown.map((row) => JSON.stringify(route.present(row, call)))
  const pagination = JSON.stringify({ count: shown.length, next })
  return `{"success":true,"messages":[],"result":[${entries.join(',')}],"pagination":${pagination}}`
}
