import { boolean, integer, orNull, text, time, uuid } from '../../platform/db/columns.ts'
import type { Database, Reader, Tx } from '../../platform/db/database.ts'
import type { Scoped } from '../../platform/db/scoped.ts'
import { sql } from '../../platform/db/sql.ts'
import { type RowOf, table } from '../../platform/db/table.ts'
import type { Page } from '../../platform/http/commands/route.ts'
import { equals, selectFiltered } from '../../platform/http/lists/filters.ts'
import type { Scope } from '../../platform/scope.ts'

const requests = table('api_requests', ['id'], {
  id: uuid,
  /** Id of the token or session. */
  callerId: uuid,
  isSession: boolean,
  method: text,
  route: text,
  path: text,
  status: integer,
  /** Reason for the refusal. */
  reason: orNull(text),
  body: orNull(text),
  isBodyCut: boolean,
  durationMs: integer,
  at: time,
})
export type LoggedRequest = RowOf<typeof requests>

export const insertRequests = (tx: Tx, rows: Scoped<LoggedRequest>[]) => tx.run(requests.insert(rows))

export const selectRequest = (db: Reader, scope: Scope, id: string) =>
  db.one(sql`${requests.of(scope)} and id = ${id}`)

type Filters = {
  /** First digit of the HTTP status: 2 for successful requests, 4 for refused ones. */
  statusClass?: number | undefined
  method?: string | undefined
  pathPrefix?: string | undefined
  id?: string | undefined
  callerId?: string | undefined
}

/** Lists logged requests. Only the id has an index, so the other filters scan up to ten thousand rows per page. */
export const selectRequests = (
  db: Database,
  scope: Scope,
  { statusClass, method, pathPrefix, id, callerId }: Filters,
  page: Page,
) =>
  selectFiltered(db, requests, scope, page, [
    equals(sql`id`, sql`uuid`, id, { leadsTo: 'few' }),
    equals(sql`status / 100`, sql`integer`, statusClass),
    equals(sql`method`, sql`text`, method),
    equals(sql`caller_id`, sql`uuid`, callerId),
    {
      isUsed: pathPrefix !== undefined,
      fits: sql`starts_with(path, ${pathPrefix ?? ''})`,
    },
  ])
