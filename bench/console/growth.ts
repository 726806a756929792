import type { Client } from 'pg'
import type { Scope } from '../../packages/server/src/platform/scope.ts'
import { copyRow } from './copies.ts'

/** Payments per object of every other type. */
const othersPart = 10

const times = { created_at: 'moment', updated_at: 'moment' }
const ofRail = {
  rail_reference: 'gen_random_uuid()',
  rail_transaction: `'copy-' || n`,
  ledger_reference: `'copy-' || n`,
}
const phone = `'+2327' || lpad((n * 7919 % 1000000)::text, 7, '0')`
const amount = '100 + n * 31 % 100000'

/**
 * Copies a shop's data until it has this many payments, each with two ledger lines, and a tenth as many objects
 * of other types.
 */
export async function growShop(client: Client, scope: Scope, main: string, payments: number): Promise<void> {
  await client.query('set synchronous_commit = off')
  await client.query(`set maintenance_work_mem = '1GB'`)
  const others = Math.ceil(payments / othersPart)
  const completed = `status = 'completed'`
  await copyRow(client, scope, {
    table: 'payments',
    like: completed,
    own: {
      ...times,
      ...ofRail,
      amount,
      order_id: 'gen_random_uuid()',
      order_number: 'n::text',
      origin_id: 'gen_random_uuid()',
      payer_account: phone,
    },
    count: payments,
  })
  await growAccount(client, scope, main, payments)
  const { rows } = await client.query<{ id: string }>(
    `select id from ledger_accounts where space_id = $1 and environment = $2 and kind = 'clearing' order by next_seq desc limit 1`,
    [scope.spaceId, scope.environment],
  )
  for (const { id } of rows) await growAccount(client, scope, id, payments)
  await copyRow(client, scope, {
    table: 'payouts',
    like: completed,
    own: { ...times, ...ofRail, amount, hold_id: 'gen_random_uuid()', payee_account: phone },
    count: others,
  })
  await copyRow(client, scope, {
    table: 'checkout_sessions',
    like: completed,
    own: {
      ...times,
      expires_at: 'moment',
      order_id: 'gen_random_uuid()',
      order_number: 'n::text',
      reference: `'r' || n`,
    },
    count: others,
  })
  await copyRow(client, scope, {
    table: 'internal_transfers',
    like: completed,
    own: { ...times, ledger_reference: `'copy-' || n` },
    count: others,
  })
  await copyRow(client, scope, {
    table: 'sequenced_facts',
    like: 'position = (select max(position) from sequenced_facts)',
    own: { position: 'source.position + n * source.count', sequence: 'source.sequence + n * source.count' },
    count: others,
  })
  await client.query('vacuum analyze')
}

/**
 * Inserts the copies before the existing lines, because lines are numbered in time order. Adjusts the numbers
 * and balances of the existing lines.
 */
async function growAccount(
  client: Client,
  { spaceId, environment }: Scope,
  account: string,
  count: number,
): Promise<void> {
  const here = [spaceId, environment, account]
  const like = `account_id = '${account}' and owners -> 0 ->> 'type' = 'payment'`
  const { rows } = await client.query<{ amount: string }>(
    `select amount from ledger_lines where space_id = $1 and environment = $2 and ${like} order by id desc limit 1`,
    [spaceId, environment],
  )
  const grown = BigInt(count) * BigInt(rows[0]?.amount ?? 0)
  await client.query('alter table ledger_lines disable trigger user')
  await client.query(
    `update ledger_lines set seq = seq + $4::bigint, balance_after = balance_after + $5::bigint
     where space_id = $1 and environment = $2 and account_id = $3`,
    [...here, count, grown],
  )
  await client.query('alter table ledger_lines enable trigger user')
  await client.query(
    `update ledger_accounts set next_seq = next_seq + $4::bigint, posted = posted + $5::bigint
     where space_id = $1 and environment = $2 and id = $3`,
    [...here, count, grown],
  )
  await copyRow(
    client,
    { spaceId, environment },
    {
      table: 'ledger_lines',
      like,
      own: { seq: 'n', at: 'moment', reference: `'copy-' || n`, balance_after: 'n * source.amount' },
      count,
    },
  )
}
