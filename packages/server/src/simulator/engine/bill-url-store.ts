import type { BillUrls } from '@pesewa/connector-kit/simulator'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'

export const findBillUrls = (db: Reader, providerId: string) =>
  // every space: rails know nothing about Spaces
  db.one<BillUrls>(sql`
    select validation_url, confirmation_url from simulator_bill_addresses where provider_id = ${providerId}`)

export const upsertBillUrls = (tx: Tx, providerId: string, { validationUrl, confirmationUrl }: BillUrls) =>
  // every space: rails know nothing about Spaces
  tx.run(sql`
    insert into simulator_bill_addresses (provider_id, validation_url, confirmation_url)
    values (${providerId}, ${validationUrl}, ${confirmationUrl})
    on conflict (provider_id) do update
    set validation_url = excluded.validation_url, confirmation_url = excluded.confirmation_url`)
