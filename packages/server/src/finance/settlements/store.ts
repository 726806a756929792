import type { Direction } from '../../ledger/accounts/store.ts'
import { bigint, boolean, orNull, text, textOf, time, uuid } from '../../platform/db/columns.ts'
import type { Database, Reader, Tx } from '../../platform/db/database.ts'
import { realNow } from '../../platform/db/real-time.ts'
import type { Scoped } from '../../platform/db/scoped.ts'
import { nothing, type Sql, sql } from '../../platform/db/sql.ts'
import { type RowOf, table } from '../../platform/db/table.ts'
import { unnest } from '../../platform/db/unnest.ts'
import type { Page } from '../../platform/http/commands/route.ts'
import { inPage } from '../../platform/http/lists/filters.ts'
import type { Environment, Scope } from '../../platform/scope.ts'
import { shareReads } from '../../platform/shared-reads.ts'
import type { SettlementStatus } from './states.ts'

export const settlementKinds = ['payout_to_bank', 'float_top_up'] as const
export type SettlementKind = (typeof settlementKinds)[number]

/** Money moved between a provider and the operator's bank account. */
const settlements = table('settlements', ['id'], {
  id: uuid,
  kind: textOf<SettlementKind>(),
  providerId: text,
  /** Direction of the clearing account. */
  direction: textOf<Direction>(),
  amount: bigint,
  currency: text,
  bankReference: text,
  valueDate: text,
  note: orNull(text),
  isAdvance: boolean,
  createdBy: text,
  ledgerReference: text,
  createdAt: time,
  reversedAt: orNull(time),
  reversedBy: orNull(text),
  reversalReason: orNull(text),
  reversalReference: orNull(text),
  updatedAt: time,
})
export type Settlement = RowOf<typeof settlements>

export const insertSettlement = (tx: Tx, settlement: Scoped<Settlement>) =>
  tx.run(settlements.insert([settlement]))

const update = settlements.update(
  'reversedAt',
  'reversedBy',
  'reversalReason',
  'reversalReference',
  'updatedAt',
)
export const updateReversed = (tx: Tx, settlement: Scoped<Settlement>) => tx.run(update([settlement]))

export const shareSettlements = (db: Database) => shareReads(db, settlements.requested)

export const lockSettlement = (tx: Tx, scope: Scope, id: string) =>
  tx.one(sql`${settlements.of(scope)} and id = ${id} for update`)

// every space: operators specify a settlement only by its id
export const selectScope = (db: Reader, id: string) =>
  db.one<Scope>(sql`select space_id, environment from settlements where id = ${id}`)

const ofStatus = {
  booked: sql`and reversed_at is null`,
  reversed: sql`and reversed_at is not null`,
} satisfies Record<SettlementStatus, Sql>

export type SettlementFilter = {
  status?: SettlementStatus | undefined
  bankReference?: string | undefined
}

/** Lists settlements, newest first. */
export const selectSettlements = (
  db: Reader,
  { spaceId, environment }: Scope,
  { status, bankReference }: SettlementFilter,
  page: Page,
) =>
  db.query(sql`
    select ${settlements.columns} from settlements
    where space_id = ${spaceId} and environment = ${environment}
      ${bankReference === undefined ? nothing : sql`and bank_reference = ${bankReference}`}
      ${status === undefined ? nothing : ofStatus[status]}
      ${inPage(page)}
    order by id desc limit ${page.take}`)

/**
 * The amount, in minor units, that a provider owes a Space on a clearing account. It is negative if the Space
 * owes the provider.
 */
export type Owed = {
  spaceId: string
  environment: Environment
  providerId: string
  direction: Direction
  currency: string
  owed: bigint
}

const maxOwedListed = 10_000 // maximum number of clearing accounts listed

/** The last known balance of a live account, as reported by the rail or according to the books. */
export type FloatRow = {
  connection: string
  side: 'rail' | 'books'
  account: string
  currency: string
  amount: bigint
  readAt: Date
}

/** Replaces all stored balances with new ones. */
export async function writeFloats(tx: Tx, floats: Omit<FloatRow, 'readAt'>[]): Promise<void> {
  await tx.run(sql`delete from connection_floats`)
  await tx.run(sql`
    insert into connection_floats (connection, side, account, currency, amount, read_at)
    select connection, side, account, currency, amount, ${realNow} from ${floatRows(floats)}
    on conflict (connection, side, account, currency) do update
    set amount = excluded.amount, read_at = excluded.read_at`)
}

const floatRows = unnest<Omit<FloatRow, 'readAt'>>({
  connection: text,
  side: textOf<FloatRow['side']>(),
  account: text,
  currency: text,
  amount: bigint,
})

export const selectFloats = (db: Reader) =>
  db.query<FloatRow>(sql`
    select connection, side, account, currency, amount, read_at from connection_floats
    order by connection, side, account, currency`)

/** Returns the balances at live providers according to the books. */
export const selectAtProviders = (db: Reader) =>
  // every space: all of them share one account
  db.query<Pick<Owed, 'providerId' | 'direction' | 'currency'> & { amount: bigint }>(sql`
    select provider_id, direction, currency, (-sum(posted))::bigint as amount from ledger_accounts
    where kind = 'clearing' and environment = 'live'
    group by provider_id, direction, currency order by provider_id, direction, currency`)

/** Lists every clearing account with a balance. A debit is money that the provider received and therefore owes. */
export const selectOwed = (db: Reader) =>
  // every space: the operator's list covers all Spaces
  db.query<Owed>(sql`
    select space_id, environment, provider_id, direction, currency, -posted as owed from ledger_accounts
    where kind = 'clearing' and posted <> 0
    order by provider_id, environment, currency, direction, space_id limit ${maxOwedListed}`)
