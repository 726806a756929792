import type { Scope } from '../platform/clock.ts'
import type { Tx } from '../platform/db/database.ts'
import { sql } from '../platform/db/sql.ts'

type EventRow = {
  id: string
  type: string
  objectType: string
  objectId: string
  callbackState?: string | null
  data: object
}

export const insertEvents = (tx: Tx, { spaceId, environment }: Scope, at: Date, events: EventRow[]) =>
  tx.run(sql`
    insert into events (space_id, environment, id, type, object_type, object_id, callback_state, data, at)
    select ${spaceId}, ${environment}, id, type, object_type, object_id, callback_state, data::json, ${at}
    from unnest(${events.map((e) => e.id)}::uuid[], ${events.map((e) => e.type)}::text[],
      ${events.map((e) => e.objectType)}::text[], ${events.map((e) => e.objectId)}::uuid[],
      ${events.map((e) => e.callbackState ?? null)}::text[], ${events.map((e) => JSON.stringify(e.data))}::text[])
      as event (id, type, object_type, object_id, callback_state, data)`)
