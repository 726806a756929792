import Type, { type TSchema } from 'typebox'
import { createBatches } from '../batches.ts'
import { fieldsOf } from '../fields.ts'
import { must } from '../must.ts'
import type { Seals } from '../seals.ts'
import { openCursor, sealCursor } from './cursor.ts'
import { jsonOf } from './json.ts'
import type { ApiRoute, Call, ListRoute } from './route.ts'
import { object } from './shapes.ts'

const maxPageSize = 50 // limit: entries of a page of a list
const defaultPageSize = 10 // limit: entries of a page when the request names no number

/** The query parameters of every list, beside its filters. */
const paging = {
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

async function readPage(seals: Seals, route: ListRoute, call: Call): Promise<string> {
  const { limit: requested, after, ...filters } = fieldsOf(call.query)
  const limit = typeof requested === 'number' ? requested : defaultPageSize
  const binding = { ...call.scope, url: route.url, filters }
  const position = typeof after === 'string' ? openCursor(seals, binding, after) : undefined
  const listed = await route.list(call, { take: limit + 1, after: position })
  const { rows, stoppedAt } = Array.isArray(listed) ? { rows: listed, stoppedAt: undefined } : listed
  const page = rows.slice(0, limit)
  const goesOnAfter = rows.length > limit ? route.position(page.at(-1)) : stoppedAt
  const next = goesOnAfter === undefined ? null : sealCursor(seals, binding, goesOnAfter)
  const entries = page.map((row) => jsonOf(route.present(row, call)))
  const pagination = JSON.stringify({ count: page.length, next })
  return `{"success":true,"messages":[],"result":[${entries.join(',')}],"pagination":${pagination}}`
}
