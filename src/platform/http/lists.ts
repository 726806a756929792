import Type, { type TSchema } from 'typebox'
import { createBatches } from '../batches.ts'
import type { Database } from '../db/database.ts'
import { fieldsOf } from '../fields.ts'
import { must } from '../must.ts'
import type { Seals } from '../seals.ts'
import { openCursor, sealCursor } from './cursor.ts'
import { jsonOf } from './json.ts'
import type { ApiRoute, Call, ListRoute, Page } from './route.ts'
import { object } from './shapes.ts'

const maxPageSize = 50 // limit: entries of a page of a list
export const defaultPageSize = 10 // limit: entries of a page when the request names no number

/** The query parameters of every list, beside its filters. */
export const paging = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: maxPageSize, default: defaultPageSize })),
  after: Type.Optional(
    Type.String({ maxLength: 2000, description: 'The `pagination.next` of the page before.' }), // limit: a cursor
  ),
}

/** The query of a route: its own fields, and paging where it lists. */
export function querySchema(route: ApiRoute): TSchema {
  const own = Type.IsObject(route.query) ? route.query.properties : {}
  return object(route.kind === 'list' ? { ...own, ...paging } : own)
}

/** The query of a list that is exported: `limit` caps the whole, and has no bound of its own. */
export const exportQuerySchema = ({ query }: ListRoute): TSchema =>
  object({
    ...(Type.IsObject(query) ? query.properties : {}),
    ...paging,
    limit: Type.Optional(Type.Integer({ minimum: 1 })),
  })

/**
 * Pages that are requested several times at once with one token, as pollers do, are read once: after all of the requests
 * have come. Returns the response.
 */
export function openPages(seals: Seals, route: ListRoute): (call: Call) => Promise<string> {
  const batches = createBatches<Call, string>({
    run: async (calls) => {
      const answer = await readPage(seals, route, must(calls[0], 'call in a batch'))
      return calls.map(() => ({ answer }))
    },
  })
  return (call) => {
    const { scope, tokenId, params, query } = call
    return batches.submit(JSON.stringify([scope.spaceId, tokenId, params, query]), call)
  }
}

/** What a call wants of a list: how many entries, and from where. `binding`: what a cursor is good for. */
function requestOf(seals: Seals, route: ListRoute, call: Call) {
  const { limit, after, ...filters } = fieldsOf(call.query)
  const binding = { ...call.scope, url: route.url, filters }
  return {
    binding,
    limit: typeof limit === 'number' ? limit : undefined,
    position: typeof after === 'string' ? openCursor(seals, binding, after) : undefined,
  }
}

async function readStretch(route: ListRoute, call: Call, page: Page) {
  const listed = await route.list(call, page)
  return Array.isArray(listed) ? { rows: listed, stoppedAt: undefined } : listed
}

/** All that a call leaves of a list, from where it begins, so many at a time at most. */
export async function* readRows(db: Database, seals: Seals, route: ListRoute, call: Call, atOnce: number) {
  let { limit = Number.POSITIVE_INFINITY, position: after } = requestOf(seals, route, call)
  while (limit > 0) {
    const take = Math.min(atOnce, limit)
    const { rows, stoppedAt } = await db.within(call.scope.spaceId, () =>
      readStretch(route, call, { take, after }),
    )
    yield rows
    limit -= rows.length
    if (rows.length < take && stoppedAt === undefined) return
    after = rows.length < take ? stoppedAt : route.position(rows.at(-1))
  }
}

async function readPage(seals: Seals, route: ListRoute, call: Call): Promise<string> {
  const { binding, limit = defaultPageSize, position } = requestOf(seals, route, call)
  const { rows, stoppedAt } = await readStretch(route, call, { take: limit + 1, after: position })
  const page = rows.slice(0, limit)
  const goesOnAfter = rows.length > limit ? route.position(page.at(-1)) : stoppedAt
  const next = goesOnAfter === undefined ? null : sealCursor(seals, binding, goesOnAfter)
  const entries = page.map((row) => jsonOf(route.present(row, call)))
  const pagination = JSON.stringify({ count: page.length, next })
  return `{"success":true,"messages":[],"result":[${entries.join(',')}],"pagination":${pagination}}`
}
