import { boolean } from '../platform/db/columns.ts'
import type { Reader, Tx } from '../platform/db/database.ts'
import { sql } from '../platform/db/sql.ts'
import { table } from '../platform/db/table.ts'
import type { Scope } from '../platform/scope.ts'

const settings = table('receipt_settings', [], { isSentBySms: boolean })

const upsert = settings.upsert('isSentBySms')

/** Whether payers of a Space get their receipts as text messages. */
export const sendsReceiptsBySms = async (db: Reader, { spaceId, environment }: Scope): Promise<boolean> =>
  (
    await db.one(sql`
      select ${settings.columns} from receipt_settings
      where space_id = ${spaceId} and environment = ${environment}`)
  )?.isSentBySms ?? false

export const setReceiptsBySms = (tx: Tx, scope: Scope, isSentBySms: boolean) =>
  tx.run(upsert([{ isSentBySms, scope }]))
