import type { Database, Reader } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Page } from '../../platform/http/commands/route.ts'
import { equals, type Filter, selectFiltered } from '../../platform/http/lists/filters.ts'
import type { Scope } from '../../platform/scope.ts'
import { type AuditEntry, auditColumns } from '../spaces/store.ts'

type ObjectName = { type: string; id: string }
export type AuditFilter = {
  actor: string | undefined
  action: string | undefined
  object: ObjectName | undefined
}

/** Returns a page of audit entries. Each filter has an index that ends with the id of the entry. */
export const selectScopedEntries = (
  db: Database,
  scope: Scope,
  { actor, action, object }: AuditFilter,
  page: Page,
) =>
  selectFiltered<AuditEntry>(db, entries, scope, page, [
    ofObject(object),
    equals(sql`actor`, sql`text`, actor, { leadsTo: 'many' }),
    equals(sql`action`, sql`text`, action, { leadsTo: 'many' }),
  ])

const entries = {
  table: sql`audit_entries`,
  of: ({ spaceId, environment }: Scope) => sql`
    select ${auditColumns} from audit_entries
    where space_id = ${spaceId} and environment = ${environment}`,
}

function ofObject(object: ObjectName | undefined): Filter {
  const condition = sql`object_type = ${object?.type ?? null} and object_id = ${object?.id ?? null}`
  const fits = sql`(${object?.id ?? null}::uuid is null or (${condition}))`
  return { isUsed: object !== undefined, fits, leadsTo: 'many', lead: () => condition }
}

export const hasEntries = async (db: Reader, { spaceId, environment }: Scope, { type, id }: ObjectName) =>
  (await db.one(sql`
    select 1 from audit_entries
    where space_id = ${spaceId} and environment = ${environment} and object_type = ${type} and object_id = ${id}
    limit 1`)) !== undefined
