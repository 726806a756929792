import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import {
  type FindChecks,
  type Proof,
  proveBooks,
} from '../../../../packages/server/src/finance/books/verify.ts'
import { closeItem } from '../../../../packages/server/src/finance/reconciliation/closings.ts'
import { closeDay, reopenDay } from '../../../../packages/server/src/finance/reconciliation/days.ts'
import { accountIds } from '../../../../packages/server/src/ledger/accounts/resources.ts'
import { setLimit } from '../../../../packages/server/src/money/approvals/limits.ts'
import { setFee } from '../../../../packages/server/src/money/fees/fees.ts'
import { decideCase } from '../../../../packages/server/src/money/recalls/recalls.ts'
import { recallIds } from '../../../../packages/server/src/money/recalls/resources.ts'
import { refuseRecall, returnRecall } from '../../../../packages/server/src/money/recalls/returning.ts'
import { setPolicy } from '../../../../packages/server/src/money/refunds/policies.ts'
import { Sql, sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { readId } from '../../../../packages/server/src/platform/ids.ts'
import type { Scope } from '../../../../packages/server/src/platform/scope.ts'
import { findChecks } from '../../../../packages/server/src/slices.ts'
import { assignBill, closeBill } from '../../../../packages/server/src/ways-to-pay/bill-payments/assigning.ts'
import { bookBill } from '../../../../packages/server/src/ways-to-pay/bill-payments/bills.ts'
import { createHandset } from '../../../support/handset.ts'
import { type Merchant, startTestApp, until } from '../../../support/harness.ts'
import { fund } from '../../../support/money.ts'
import { createPayer } from '../../../support/payer.ts'
import { createCodes, price } from '../../../support/payment-code.ts'
import { createBookkeeping } from '../reconciliation/statements.ts'
import { behindTheBack, completed, remove, set, unseen } from './changes.ts'

// Changes that a database superuser can make to rows, and what `pesewa verify` then finds. Each change is made
// in a transaction that is rolled back.

const rail = createManualClock()
const t = await startTestApp({ app: { simulatorClock: rail } })
const { db, seals } = t.app.parts
const bookkeeping = createBookkeeping(t, rail)
after(async () => {
  await t.close()
  bookkeeping.close()
})
const openCode = createCodes(t, rail)

let merchant: Merchant

before(async () => {
  merchant = await t.merchant()
  const { scope } = merchant
  await fund(t.app.parts, scope, 1_000_000)
  const session = async (phone?: string) => {
    const lineItems = [{ name: 'Seat', price: price(1_000), quantity: 3, reference: 'seat' }]
    const body = { name: 'Concert', lineItems, duration: '7d' }
    const { result } = (await merchant.call('POST', '/v1/checkout-sessions', body)).body
    const payer = createPayer(result.redirectUrl)
    if (phone) await payer.pay('m17', phone)
    return { ...result, payer }
  }
  const paid = await session('076 123 456')
  const twice = await session('076 124 004')
  await twice.payer.another('m17', '076 124 456')
  await session('076 123 001')
  await session('076 123 003')
  await session()
  const late = await session('076 123 012')
  const cancelled = await session()
  await merchant.call('DELETE', `/v1/checkout-sessions/${cancelled.id}`)
  const item = { name: 'Ticket', price: { currency: 'SLE', value: 500 } }
  const link = async () =>
    (await merchant.call('POST', '/v1/payment-links', { name: 'Concert', lineItems: [item] })).body.result.id
  const first = await link()
  await merchant.call('PATCH', `/v1/payment-links/${first}`, { name: 'Concert, second date' })
  await merchant.call('PATCH', `/v1/payment-links/${await link()}`, { active: false })
  await merchant.call('DELETE', `/v1/payment-links/${await link()}`)
  const code = await openCode({ mode: 'recurrent' }, merchant)
  await code.begin()
  await openCode({}, merchant)
  await (await openCode({ mode: 'recurrent' }, merchant)).begin({ phoneNumber: '+23276123003' })
  const payout = (phoneNumber: string) =>
    merchant.call('POST', '/v1/payouts', {
      amount: price(500),
      destination: { type: 'momo', providerId: 'm17', phoneNumber },
    })
  const payouts: string[] = []
  for (const phone of ['076123456', '076123001', '076123003'])
    payouts.push((await payout(phone)).body.result.id)
  const row = (phoneNumber: string) => ({
    amount: price(500),
    destination: { type: 'momo', providerId: 'm17', phoneNumber },
  })
  // The last three digits decide the outcome; the third one waits for the rail.
  const batch = (
    await merchant.call('POST', '/v1/payout-batches', {
      name: 'Salaries',
      rows: ['076123456', '076123457', '076123003'].map(row),
    })
  ).body.result
  assert.equal(batch.counts.rows, 3)
  const savings = (
    await merchant.call('POST', '/v1/financial-accounts', { name: 'Savings', currency: 'SLE' })
  ).body.result.id
  const main = paid.financialAccountId
  const transfer = (value: number, more: object = {}) =>
    merchant.call('POST', '/v1/internal-transfers', {
      amount: price(value),
      sourceFinancialAccount: { id: main },
      destinationFinancialAccount: { id: savings },
      ...more,
    })
  await transfer(700)
  await transfer(100_000_000)
  await transfer(300, { executeTime: new Date(Date.now() + 86_400_000 * 20).toISOString() })
  const otp = (await merchant.call('POST', '/v1/ussd-otps', { authorizedPhoneNumber: '+23276200100' })).body
    .result
  await createHandset(t, '+23276200100').dial(otp.dialCode)
  await merchant.call('POST', '/v1/ussd-otps', { authorizedPhoneNumber: '+23276200101' })
  const billed = await openCode({ amount: price(150_000, 'KES'), mode: 'recurrent' }, merchant)
  const bill: Parameters<typeof bookBill>[2] = {
    environment: 'test',
    connection: 'mpesa-ke',
    providerId: 'mpesa-ke',
    source: 'notice',
    transaction: 'RKL51ZDR4F',
    amount: 150_000n,
    currency: 'KES',
    accountReference: billed.number,
    payerAccount: null,
    payerMask: '+25470***149',
    paidAt: new Date(),
  }
  const nobodys = { ...bill, transaction: 'RKL51ZDR4G', accountReference: 'rent' }
  const others = ['RKL51ZDR4I', 'RKL51ZDR4J'].map((transaction) => ({ ...nobodys, transaction }))
  for (const each of [bill, nobodys, ...others]) await db.transaction((tx) => bookBill(tx, t.app.parts, each))
  const [closed, assigned] = others.map(({ environment, connection, transaction }) => ({
    environment,
    connection,
    transaction,
  }))
  const decidesBill = { by: 'kadi@pesewa.example', reason: 'The payer called' }
  await db.transaction((tx) => closeBill(tx, closed!, decidesBill))
  await db.transaction((tx) => assignBill(tx, t.app.parts, assigned!, billed.number, decidesBill))
  // The rail's final report, even after it reported the opposite.
  const statusOf = async (id: string) => (await merchant.call('GET', `/v1/payouts/${id}`)).body.result.status
  await until(async () => {
    await rail.advance(300)
    const statuses = await Promise.all(payouts.slice(0, 2).map(statusOf))
    return (await code.read()).processedPaymentData && statuses.join() === 'completed,failed'
  })
  await until(async () => (await late.payer.status()) === 'done' || rail.advance(300))
  await until(async () => {
    await rail.advance(1_000)
    const { result } = (await merchant.call('GET', `/v1/refunds?q=${twice.orderNumber}`)).body
    return result[0]?.status === 'completed'
  })
  const openCase = await until(async () => {
    await rail.advance(1_000)
    return db.one<{ id: string }>(sql`
      select id from ledger_cases where space_id = ${scope.spaceId} and environment = ${scope.environment}`)
  })
  const decider = { by: 'kadi@shop.example', reason: 'It was hers' }
  await db.transaction((tx) => decideCase(tx, openCase.id, decider, readId(accountIds, savings)))
  const topUp = {
    kind: 'float_top_up',
    providerId: 'm17',
    amount: price(900),
    bankReference: 'FT26',
    valueDate: '2026-01-31',
  }
  const settlement = (await merchant.call('POST', '/v1/settlements', topUp)).body.result
  await merchant.call('POST', `/v1/settlements/${settlement.id}/reverse`, { reason: 'Booked by mistake' })
  await closeBooks()
  const recall = async (value: number) => {
    const body = { payoutId: payouts[0], reason: 'wrong_payee', amount: price(value) }
    return readId(recallIds, (await merchant.call('POST', '/v1/recalls', body)).body.result.id)!
  }
  const [returned, refused] = [await recall(200), await recall(100)]
  await recall(50)
  await db.transaction((tx) => returnRecall(tx, returned, { transaction: 'TX-1' }, decider))
  await db.transaction((tx) => refuseRecall(tx, refused, decider))
  await until(async () => (await merchant.call('GET', `/v1/receipts/${paid.orderNumber}`)).status === 200)
  await giveBack(paid.orderNumber)
  const redeem = { entitlements: [{ key: 'seat', units: 2 }] }
  await merchant.call('POST', `/v1/receipts/${paid.orderNumber}/redeem`, redeem)
  await merchant.call('GET', '/v1/overview')
  await approve(scope, row)
  await until(async () => {
    const [row] = await db.query<{ waiting: bigint }>(sql`
      select (select count(*) from unchained) + (select count(*) from event_backlog) + (
        select count(*) from event_facts where number > (select settled from event_sequencer)) as waiting`)
    return row!.waiting === 0n
  })
})

/**
 * Creates requests that wait for another member or were approved, and approval rules, one of which is
 * withdrawn.
 */
async function approve(scope: Scope, row: (phoneNumber: string) => object): Promise<void> {
  const operator = { by: 'kadi@pesewa.example', reason: 'as agreed' }
  await db.transaction(async (tx) => {
    await setLimit(tx, scope, 'payout', 'SLE', 100n)
    await setLimit(tx, scope, 'payout', 'GHS', 100n)
    await setLimit(tx, scope, 'payout', 'GHS', null)
    await setPolicy(tx, scope, { queuesWhenShort: true })
    await setFee(tx, scope.spaceId, 'payout', '1%', operator)
  })
  const other = await t.merchant({ sameUserAs: { ...merchant, userId: (await t.merchant()).userId } })
  const ask = async (path: string, body: object) => (await merchant.call('POST', path, body)).body.result.id
  const payout = () => ask('/v1/payouts', row('076123003'))
  await payout()
  await other.call('POST', `/v1/payouts/${await payout()}/approve`, {})
  const batch = { name: 'Bonuses', rows: ['076123456', '076123457'].map(row) }
  await ask('/v1/payout-batches', batch)
  await other.call('POST', `/v1/payout-batches/${await ask('/v1/payout-batches', batch)}/reject`, {})
}

/** Imports a statement for yesterday and today, with an unknown line, and closes all open items manually. */
async function closeBooks(): Promise<void> {
  const day = 86_400_000
  const line = { id: '4242', reference: 'nobody', at: new Date(Date.now() - day), value: 300 }
  const at = new Date(Date.now() + 2 * day)
  await bookkeeping.import([line], { from: new Date(line.at.getTime() - day), until: at, at })
  const { openItems } = await bookkeeping.reconcile()
  const decider = { by: 'kadi@shop.example', reason: 'The provider knows' }
  for (const { name } of openItems.items)
    await db.transaction((tx) => closeItem(tx, name, decider, new Date()))
  const yesterday = { ...bookkeeping.extent, day: line.at.toISOString().slice(0, 10) }
  const place = { timeZone: 'UTC', currency: 'SLE' }
  const close = () => db.transaction((tx) => closeDay(tx, yesterday, place, decider, new Date()))
  await close()
  await db.transaction((tx) => reopenDay(tx, yesterday, decider, new Date()))
  await close()
}

/**
 * Creates partial refunds of a payment, one with each outcome. The last is reported as failed before the rail
 * returns the money.
 */
async function giveBack(orderNumber: string): Promise<void> {
  const { scope } = merchant
  await db.transaction((tx) => setLimit(tx, scope, 'refund', 'SLE', 500n))
  const [payment] = (await merchant.call('GET', `/v1/payments?orderNumber=${orderNumber}`)).body.result
  const refund = async (value: number, more: object = {}) => {
    const body = { paymentId: payment.id, amount: price(value), reason: 'wrong_amount', ...more }
    return (await merchant.call('POST', '/v1/refunds', body)).body.result.id
  }
  for (const payerMessage of ['456', '001', '003', '012']) await refund(100, { payerMessage })
  await refund(501)
  await merchant.call('POST', `/v1/refunds/${await refund(502)}/cancel`, {})
  await until(async () => {
    await rail.advance(1_000)
    const cases = await db.query(sql`
      select id from ledger_cases
      where space_id = ${scope.spaceId} and environment = ${scope.environment} and object_type = 'refund'`)
    return cases.length === 1
  })
}

class Undone extends Error {}

/** Applies `change` as a superuser, and returns what the given checks find. Everything is rolled back. */
async function provenAfter(
  change: string,
  isWanted: (check: string) => boolean = () => true,
): Promise<{ changed: number; proof: Proof }> {
  const findWanted: FindChecks = async (seals) =>
    (await findChecks(seals)).filter(({ name }) => isWanted(name))
  let found: { changed: number; proof: Proof } | undefined
  await db
    .transaction(async (tx) => {
      await tx.run(new Sql('set transaction isolation level repeatable read', []))
      // Triggers and foreign keys are off.
      await tx.run(new Sql('set local session_replication_role = replica', []))
      let changed = 0
      for (const statement of change.split(';')) changed = await tx.run(new Sql(statement, []))
      found = { changed, proof: await proveBooks(tx, findWanted, { seals, encryption: db.encryption }) }
      throw new Undone()
    })
    .catch((error) => {
      if (!(error instanceof Undone)) throw error
    })
  return found!
}

const foundBy = ({ checks }: Proof) =>
  checks.filter(({ differences }) => differences.length > 0).map(({ name }) => name)

const allocated = "status = 'allocated'"
const reversing = (type: string) => `reversed_line_id is not null and owners #>> '{0,type}' = '${type}'`

/** A change to one row or a few related rows, and the first words reported by the check that finds it. */
const tamperings: [change: string, found: string][] = [
  [set('ledger_lines', 'amount = amount + 1'), 'the lines of every reference sum to zero'],
  [set('ledger_lines', 'balance_after = balance_after + 1'), 'running balances are continuous'],
  [
    set('ledger_lines', `owners = '[{"id": "x", "type": "payment"}]'`, 'fee_code is null'),
    'every reference belongs to a single',
  ],
  [set('ledger_lines', "reference = '20200101-000000000-aaaaaa'"), 'every line id has the timestamp'],
  [set('ledger_lines', 'is_financial = not is_financial'), 'every line has the currency of its account'],
  [set('ledger_lines', "currency = 'GHS'"), 'every line has the currency of its account'],
  [
    set('ledger_lines', "at = at + interval '1 second'"),
    'every ledger line is unchanged since it was chained',
  ],
  [set('ledger_lines', "fee_code = 'gift'"), 'every ledger line is unchanged since it was chained'],
  [remove('ledger_lines'), 'the lines of every reference sum to zero'],
  [
    `with gone as (
       delete from ledger_lines where reference = (select ledger_reference from internal_transfers where status = 'completed')
       returning account_id, amount
     ), without as (delete from internal_transfers where status = 'completed')
     update ledger_accounts account set posted = posted - gone.amount, next_seq = next_seq - 1
     from gone where account.id = gone.account_id`,
    'all lines of every account',
  ],
  [
    `alter table ledger_accounts drop constraint ledger_accounts_funding_is_test; ${invented("'funding'", "'main'", 'live')}`,
    'every posting has an owner',
  ],
  [invented("'main'", "'fees'", 'test'), 'every posting has an owner'],
  [invented("'main'", 'null', 'test'), 'every posting has an owner'],
  [
    set('ledger_accounts', 'posted = posted + 1', "purpose = 'main'"),
    'every balance equals the sum of its account’s lines',
  ],
  [set('ledger_accounts', 'held = held + 1', "purpose = 'main'"), 'the held amount of every account'],
  [
    `alter table ledger_accounts drop constraint ledger_accounts_not_overdrawn;
     ${set('ledger_accounts', 'held = posted + 1', "purpose = 'main'")}`,
    'the balance of every merchant account',
  ],
  [set('ledger_accounts', "kind = 'suspense'", "purpose = 'fees'"), 'every posting has an owner'],
  [set('ledger_accounts', "kind = 'elsewhere'", "purpose = 'fees'"), 'every posting has an owner'],
  [
    `update ledger_accounts set kind = 'fees' where id in (
       select account_id from ledger_lines where is_financial and reference in (select closing_reference from ledger_cases))`,
    'every case closed',
  ],
  [
    set('ledger_accounts', 'purpose = null', "purpose = 'main'"),
    'every ledger line is unchanged since it was chained',
  ],
  [
    `alter table ledger_accounts drop constraint ledger_accounts_clearing;
     ${set('ledger_accounts', "provider_id = 'm18'", "direction = 'collection'")}`,
    'collection clearing at each provider equals',
  ],
  [
    set('ledger_accounts', 'allows_negative = true', "purpose = 'main'"),
    'every ledger line is unchanged since it was chained',
  ],
  [
    set('financial_accounts', "uvan = '0000000000000000'"),
    'every ledger line is unchanged since it was chained',
  ],
  [set('ledger_holds', 'released = 0, captured = 0', 'captured > 0'), 'every payout in progress holds'],
  [
    set('ledger_holds', `owner = '{"id": "x", "type": "payout"}'`, 'captured > 0'),
    'every payout in progress holds',
  ],
  [set('ledger_cases', 'amount = amount + 1'), 'every case moved its money into'],
  [set('ledger_cases', "opened_at = opened_at - interval '1 day'"), 'every case moved its money into'],
  [
    set('ledger_cases', "direction = 'disbursement'", "direction = 'collection'"),
    'every case moved its money into',
  ],
  [
    set('ledger_cases', 'closing_reference = null', 'closed_at is not null'),
    'every line of a suspense account',
  ],
  [
    set('ledger_cases', 'closed_at = null, closing_reference = null', 'closed_at is not null'),
    'every closed case has an audit',
  ],
  [remove('ledger_cases'), 'every line of a suspense account'],
  [set('audit_entries', "actor = 'somebody'"), 'every link matches the lines, audit entries and seals'],
  [set('audit_entries', "reason = 'none'"), 'every link matches the lines, audit entries and seals'],
  [remove('audit_entries'), 'every link matches the lines, audit entries and seals'],
  [
    `insert into audit_entries select space_id, environment, gen_random_uuid(), at, actor, action, object_type, object_id,
       reason, details from audit_entries`,
    'every audit entry is chained',
  ],
  [
    `update ledger_lines set owners = '[{"id": "x", "type": "payout"}]'
     where reference = (select ledger_reference from payments where status = 'completed' limit 1)`,
    'every line of a clearing account',
  ],
  [
    `update ledger_lines set owners = '[{"id": "x", "type": "payment"}]'
     where reference = (select ledger_reference from payouts where status = 'completed' limit 1)`,
    'every line of a clearing account',
  ],
  [set('payments', "rail_transaction = 'x'", "status = 'processing'"), 'no payment in progress'],
  [set('payouts', "rail_transaction = 'x'", "status = 'processing'"), 'no payout in progress'],
  [set('payments', 'amount = amount + 1', completed), 'every completed payment has one posting'],
  [set('payments', "provider_id = 'm18'", completed), 'collection clearing at each provider equals'],
  [set('payments', "payer_account = '+23276999999'", completed), 'every payment matches its sealed terms'],
  [set('payments', "payer_fingerprint = 'x'", completed), 'every payment matches its sealed terms'],
  [set('payments', "rail_transaction = 'x'", completed), 'every payment matches its sealed terms'],
  [set('payments', "order_number = '000000000000'", completed), 'every payment matches its sealed terms'],
  [
    set('payments', "failure_code = 'unknown'", "status = 'failed'"),
    'every payment matches its sealed terms',
  ],
  [
    set(
      'payments',
      "status = 'failed', failure_code = 'unknown', ledger_reference = null",
      `${completed} and refund_reserved = 0`,
    ),
    'no posting belongs to a payment that is not completed',
  ],
  [
    set('payments', 'rail_reference = gen_random_uuid()', "status = 'processing'"),
    'every payment matches its sealed terms',
  ],
  [remove('payments', "status = 'failed'"), 'every sealed object exists'],
  [
    set('payouts', "payee_account = '+23276999999'", "status = 'processing'"),
    'every payout matches its sealed terms',
  ],
  [set('payouts', "payee_account = '+23276999999'", completed), 'every payout matches its sealed terms'],
  [set('payouts', 'amount = amount + 1', completed), 'every completed payout has one posting'],
  [set('payouts', "provider_id = 'm18'", completed), 'disbursement clearing at each provider equals'],
  [set('payouts', "rail_transaction = 'x'", completed), 'every payout matches its sealed terms'],
  [set('payouts', 'created_by = gen_random_uuid()', completed), 'every payout matches its sealed terms'],
  [
    set(
      'payouts',
      "status = 'failed', failure_code = 'unknown', ledger_reference = null, recalled = 0",
      completed,
    ),
    'no posting belongs to a payout that is not completed',
  ],
  [remove('payouts', "status = 'failed'"), 'every sealed object exists'],
  [set('payouts', 'recalled = recalled + 1', completed), 'the recalled amount of every payout'],
  [set('bill_payments', 'amount = amount + 1', allocated), 'every allocated manual payment'],
  [set('bill_payments', "currency = 'SLE'", allocated), 'every allocated manual payment'],
  [set('bill_payments', "provider_id = 'airtel-ke'", allocated), 'every allocated manual payment'],
  [set('bill_payments', "transaction = 'RKL51ZDR4H'", allocated), 'every allocated manual payment'],
  [set('bill_payments', 'payment_id = gen_random_uuid()', allocated), 'every allocated manual payment'],
  [remove('bill_payments', allocated), 'every payment with a masked payer'],
  [set('recalls', 'amount = amount + 1', "status = 'open'"), 'the recalled amount of every payout'],
  [
    `alter table ledger_cases drop constraint ledger_cases_returned;
     ${set('ledger_cases', 'returned = 1', 'closing_reference is not null')}`,
    'every case closed with a posting',
  ],
  [set('payout_batch_rows', 'amount = amount + 1'), 'every batch that is paid out has exactly'],
  [remove('payout_batch_rows'), 'every batch that is paid out has exactly'],
  [set('payout_batch_rows', "payee_account = '+23276999999'"), 'every batch that is paid out has exactly'],
  [
    set('payout_batches', "status = 'cancelled', approval = 'required'"),
    'every batch that is paid out has exactly',
  ],
  [set('payout_batches', 'row_count = row_count + 1'), 'every batch that is paid out has exactly'],
  [
    set('payouts', 'batch_id = null, batch_row = null', 'batch_row = 2'),
    'every batch that is paid out has exactly',
  ],
  [
    set(
      'payouts',
      'batch_row = 4, batch_id = (select id from payout_batches where row_count = 3)',
      'batch_id is null',
    ),
    'every batch that is paid out has exactly',
  ],
  [
    set('payout_batches', `sums = '[{"currency": "SLE", "amount": "1"}]'`),
    'the totals of every batch are the sums of its rows',
  ],
  [set('payout_batches', completed), 'no batch is completed before all of its payouts have ended'],
  [remove('payout_batches'), 'no payout belongs to a missing batch'],
  [
    `alter table recalls drop constraint recalls_check; alter table payouts drop constraint payouts_recalled;
     update payouts set recalled = recalled + 301 where status = 'completed';
     update recalls set returned = returned + 301 where status = 'returned'`,
    'the recalled amount of every payout',
  ],
  [
    set('recalls', 'payout_id = gen_random_uuid()', "status = 'refused'"),
    'every recall belongs to a completed',
  ],
  [set('recalls', "provider_id = 'm18'", "status = 'open'"), 'every recall belongs to a completed'],
  [set('recalls', 'returned = returned - 1', "status = 'returned'"), 'every returned recall has one posting'],
  [
    set('ledger_lines', 'reversed_line_id = gen_random_uuid()', reversing('recall')),
    'every returned recall has one posting',
  ],
  [
    set(
      'recalls',
      "status = 'refused', returned = 0, rail_transaction = null, ledger_reference = null",
      "status = 'returned'",
    ),
    'every posting of a recall',
  ],
  [set('recalls', "rail_transaction = 'TX-2'", "status = 'returned'"), 'every returned or refused recall'],
  [set('recalls', "status = 'cancelled'", "status = 'refused'"), 'every returned or refused recall'],
  [set('recalls', "reason = 'other'"), 'every recall matches its sealed terms'],
  [
    set('recalls', "status = 'cancelled', updated_at = now()", "status = 'open'"),
    'every recall matches its sealed terms',
  ],
  [remove('recalls', "status = 'refused'"), 'every sealed object exists'],
  [
    `update ledger_lines set owners = '[{"id": "x", "type": "payment"}]'
     where reference = (select ledger_reference from refunds where status = 'completed' limit 1)`,
    'every line of a clearing account',
  ],
  [set('refunds', "rail_transaction = 'x'", "status = 'processing'"), 'no refund in progress'],
  [set('refunds', 'net = net + 1', completed), 'every completed refund has one posting'],
  [
    set('refunds', "provider_id = 'm18'", completed),
    'disbursement clearing at each provider equals the completed refunds',
  ],
  [set('refunds', "payer_account = '+23276999999'", completed), 'every refund matches its sealed terms'],
  [
    set('refunds', "payer_account = '+23276999999'", "status = 'pending'"),
    'every refund belongs to a payment of the same account',
  ],
  [
    set(
      'refunds',
      "status = 'failed', failure_code = 'unknown', ledger_reference = null, completed_at = null",
      completed,
    ),
    'no posting belongs to a refund that is not completed',
  ],
  [remove('refunds', "status = 'failed'"), 'every sealed object exists'],
  [
    set('refunds', "status = 'cancelled', pending_reason = null, reserved = 0", "status = 'pending'"),
    "a payment's refunded and reserved amounts match",
  ],
  [remove('refunds', "status = 'processing'"), "a payment's refunded and reserved amounts match"],
  [
    set('payments', 'refunded = refunded - 1', 'refunded > 0'),
    "a payment's refunded and reserved amounts match",
  ],
  [
    set('payments', 'refund_reserved = refund_reserved - 1', 'refund_reserved > refunded'),
    "a payment's refunded and reserved amounts match",
  ],
  [
    set('payments', 'refund_excess = 1', 'refund_count > 0'),
    "a payment's refunded and reserved amounts match",
  ],
  [set('payments', 'late_received = 1', "status = 'failed'"), "a payment's late amount"],
  [set('ledger_lines', 'reversed_line_id = null', reversing('refund')), 'every line of a completed refund'],
  [
    set('ledger_lines', "reversed_reference = '20200101-000000000-aaaaaa'", reversing('refund')),
    'every line of a completed refund',
  ],
  [
    set('ledger_holds', 'released = 0, captured = 0', "owner ->> 'type' = 'refund' and captured > 0"),
    'every refund in progress holds',
  ],
  [
    set('ledger_holds', 'released = 0', "owner ->> 'type' = 'refund' and released > 0"),
    'every open hold of a refund',
  ],
  [
    set('instructions', 'amount = amount + 1', "kind = 'refund' and state = 'submitted'"),
    'every refund that may be sent',
  ],
  [
    set(
      'instructions',
      `original = '{"reference": "0f9a1f0e-7a4e-4a3d-9d7d-1a2b3c4d5e6f", "railTransaction": null}'`,
      "kind = 'refund' and state = 'submitted'",
    ),
    'every refund that may be sent',
  ],
  [set('instructions', 'amount = amount + 1', "kind = 'collect'"), 'every payment that may be sent'],
  [set('instructions', "provider_id = 'm18'", "kind = 'collect'"), 'every payment that may be sent'],
  [set('instructions', "state = 'failed'", "kind = 'collect' and state = 'submitted'"), 'every payment that'],
  [
    set(
      'instructions',
      "state = 'created', submitted_at = null, submitting_since = null",
      "kind = 'collect'",
    ),
    'every pay',
  ],
  [
    set('instructions', "account = '+23276999999'", "kind = 'disburse' and state = 'submitted'"),
    'every payout that may be sent',
  ],
  [
    set('instructions', 'reference = gen_random_uuid()', "kind = 'disburse'"),
    'every payout that may be sent',
  ],
  [remove('instructions', "kind = 'collect'"), 'every payment that may be sent'],
  [
    set('instructions', "due_at = due_at + interval '2 days'", "state = 'submitted'"),
    'every instruction that has no known outcome',
  ],
  [
    set('instructions', 'due_at = null', "state = 'submitted'"),
    'every instruction that has no known outcome',
  ],
  [
    set('instructions', 'due_at = null, look = null', "state = 'failed'"),
    'every instruction that has no known outcome',
  ],
  [
    set('internal_transfers', 'amount = amount + 1', completed),
    'every completed internal transfer has one posting',
  ],
  [
    set('internal_transfers', 'destination_account_id = gen_random_uuid()', "status = 'pending'"),
    'every scheduled or failed internal transfer',
  ],
  [
    set(
      'internal_transfers',
      "status = 'failed', failure_code = 'unknown', ledger_reference = null",
      completed,
    ),
    'no posting belongs to an internal transfer that is not completed',
  ],
  [
    set('receipts', 'remaining[1] = remaining[1] + 1', 'remaining[1] < 3'),
    'every completed payment has a receipt',
  ],
  [set('redemptions', 'units[1] = units[1] - 1'), 'every completed payment has a receipt'],
  [remove('redemptions'), 'every completed payment has a receipt'],
  [remove('receipts'), 'every completed payment has a receipt'],
  [set('orders', `entitlements = '[]'`), 'every order matches its sealed terms'],
  [set('payment_codes', 'paid_count = paid_count + 1', "mode = 'recurrent'"), 'every payment code counts'],
  [set('payment_codes', 'paid_total = paid_total - 1', "mode = 'recurrent'"), 'every payment code counts'],
  [set('payment_codes', "status = 'completed'", "mode = 'one_time'"), 'every payment code counts'],
  [
    set('payment_code_numbers', 'payment_code_id = gen_random_uuid()'),
    'every payment code can be found by its number',
  ],
  [
    set('checkout_sessions', completed, "status = 'pending'"),
    'a checkout session is completed if and only if',
  ],
  [
    set('checkout_sessions', "status = 'expired', payment_id = null", completed),
    'a checkout session is completed if and only if',
  ],
  [
    set('checkout_sessions', "success_url = 'https://thief.example'", "status = 'pending'"),
    'every checkout session matches its sealed terms',
  ],
  [
    set('payment_link_addresses', 'payment_link_id = gen_random_uuid()'),
    'every payment link can be found by its address',
  ],
  [
    `update checkout_sessions session set payment_id = p.id from payments p
     where p.origin_id = session.id and p.status = 'completed' and p.id <> session.payment_id`,
    'every payment of a session that another payment paid',
  ],
  [set('refunds', "reason = 'duplicate'", "reason = 'paid_twice'"), 'every refund matches its sealed terms'],
  [set('payment_links', 'paid_count = paid_count + 1'), "every payment link's counts match"],
  [set('payment_links', 'reserved_count = reserved_count + 1'), "every payment link's counts match"],
  [set('ussd_otps', "status = 'verified'", "status = 'pending'"), 'every USSD OTP matches its sealed terms'],
  ...[
    'sequence = sequence + 1',
    'count = count + 1',
    'fact_number = fact_number + 1',
    "at = at + interval '1 second'",
    'kind = kind + 1',
  ].map((change): [string, string] => [
    set('sequenced_facts', change),
    'every event is unchanged since it was chained',
  ]),
  [
    set('sequenced_facts', 'line_ids[1] = gen_random_uuid()', 'line_ids is not null'),
    'every event is unchanged since it was chained',
  ],
  [
    set('event_facts', "types = '{payment.failed}'", "types = '{payment.completed}'"),
    'every event is unchanged since it was chained',
  ],
  [
    set('fact_kinds', "types = '{payment.mislaid}'", "types = '{payment.completed}'"),
    'every event is unchanged since it was chained',
  ],
  [
    remove('sequenced_facts', 'position > (select min(position) from sequenced_facts)'),
    'every event is unchanged since it was chained',
  ],
  [set('event_facts', `data = '{}'`, "types <> '{}'"), 'every event is unchanged since it was chained'],
  [set('event_counters', 'sequence = sequence + 1'), 'every Space counts its events correctly'],
  [set('clearing_days', 'amount = amount + 1'), 'the daily totals of every clearing account'],
  [set('clearing_tallies', 'seq = seq - 1'), 'the daily totals of every clearing account'],
  [set('settlements', 'amount = amount + 1'), 'every settlement has one posting'],
  [set('settlements', "provider_id = 'm18'"), 'every settlement has one posting'],
  [set('settlements', "kind = 'payout_to_bank'"), 'every settlement has one posting'],
  [set('settlements', "bank_reference = 'x'"), 'every booking and reversal'],
  [set('settlements', "created_by = 'x'"), 'every booking and reversal'],
  [
    set(
      'settlements',
      'reversed_at = null, reversed_by = null, reversal_reason = null, reversal_reference = null, updated_at = created_at',
    ),
    'every posting of a settlement',
  ],
  [remove('settlements'), 'every posting of a settlement'],
  [set('ledger_accounts', "kind = 'fees'", "kind = 'bank'"), 'every posting has an owner'],
  [set('item_closings', "line_id = '4243'", 'line_id is not null'), 'every manually closed item exists'],
  [set('item_closings', "reason = 'none'", 'seq is not null'), 'every manually closed item exists'],
  [
    "update statement_lines set (space_id, account_id, seq) = (gen_random_uuid(), gen_random_uuid(), 1) where id = '4242'",
    'every manually closed item exists',
  ],
  [set('closed_days', 'stated_in = stated_in + 1'), 'every closed or reopened day matches'],
  [set('closed_days', 'booked_out = booked_out + 1'), 'every closed or reopened day matches'],
  [set('closed_days', "until_at = until_at + interval '2 days'"), 'every closed or reopened day matches'],
  [set('statement_lines', 'amount = amount + 1', "id = '4242'"), 'every closed day has the totals'],
  [set('statement_lines', "direction = 'disbursement'", "id = '4242'"), 'every closed day has the totals'],
  [remove('statement_lines', "id = '4242'"), 'every closed day has the totals'],
  [
    `insert into carried_balances select space_id, environment, account_id, month_start('2020-01-01'), 1, balance_after, 1, '\\x00'
     from ledger_lines limit 1`,
    'every carried balance matches',
  ],
  [
    `insert into archived_links select space_id, environment, 1, month_start('2020-01-01'), 100, null, null
     from book_seals where number > 0 limit 1`,
    'the seals and audit entries that links have left',
  ],
  [
    `insert into archived_books select space_id, environment, month_start('2020-01-01'), '\\x00' from ledger_lines limit 1`,
    'what was archived of the books of every Space',
  ],
  [
    `insert into archived_months select month_start('2020-01-01'), '2019-12', now(), 'x', '{}'`,
    'every archived month was archived for',
  ],
  [
    `insert into archived_months select month_start('2100-01-01'), '2099-12', now(), 'x', '{}'`,
    'every line of an archived month',
  ],
  [set('book_links', "hash = 'x'"), 'every link of the chain contains the hash'],
  [remove('book_ranges'), 'every link matches the lines'],
  // Uses the last line of an account, because the number of earlier lines depends on when they were chained.
  [remove('book_ranges', 'seq_to = (select max(seq_to) from book_ranges)'), 'all lines of every account'],
  [remove('book_seals'), 'every'],
  [
    set('idempotency_keys', "answer = replace(answer, 'SLE', 'GHS')", "answer like '%SLE%'"),
    'every stored response that refers to no event is unaltered',
  ],
]

/** Moves money from the first account to the second, bypassing the program; lines and balances agree. */
function invented(from: string, to: string, environment: string): string {
  const account = (purpose: string) =>
    `select * from ledger_accounts where kind <> 'clearing' and currency = 'SLE' and purpose is not distinct from ${purpose} limit 1`
  const at = `timestamptz '2026-11-22T00:00:00Z'`
  const id = (n: number) => `'019aa8b4-7800-7000-8000-00000000000${n}'::uuid`
  return `with sides as (
      select *, -777777 as change, ${id(1)} as line_id from (${account(from)}) source
      union all select *, 777777, ${id(2)} from (${account(to)}) destination
    ), opened as (
      insert into ledger_accounts (space_id, environment, id, kind, purpose, currency, posted, allows_negative, next_seq)
      select space_id, '${environment}', id, kind, purpose, currency, posted + change, true, next_seq + 1 from sides
      on conflict (space_id, environment, id) do update set posted = excluded.posted, next_seq = excluded.next_seq
    )
    insert into ledger_lines (space_id, environment, id, account_id, seq, amount, currency, balance_after, reference,
      is_financial, owners, at)
    select space_id, '${environment}', line_id, id, next_seq, change, currency, posted + change,
      to_char(${at} at time zone 'UTC', 'YYYYMMDD-HH24MISSMS') || '-aaaaaa', kind = 'financial', '[]', ${at}
    from sides`
}

test('an account that creates money cannot be opened in live', async () => {
  await assert.rejects(
    provenAfter(invented("'funding'", "'main'", 'live')),
    /violates check constraint "ledger_accounts_funding_is_test"/,
  )
})

test('the books in these tests add up before they are changed', async () => {
  const { proof } = await provenAfter('select 1')
  assert.deepEqual(foundBy(proof), [])
})

const allTamperings = [...tamperings, ...behindTheBack]

describe('pesewa verify finds', () => {
  for (const [change, found] of allTamperings)
    test(`by "${found} …": ${change.replaceAll(/\s+/g, ' ').slice(0, 120)}`, async () => {
      const { changed, proof } = await provenAfter(change, (name) => name.startsWith(found))
      assert.ok(changed > 0, 'something was changed')
      assert.notDeepEqual(foundBy(proof), [])
    })

  test('each check finds one of these changes', async () => {
    assert.ok(behindTheBack.length + unseen.length >= 120)
    const names = (await findChecks(seals)).map(({ name }) => name)
    const unused = names.filter((name) => !allTamperings.some(([, found]) => name.startsWith(found)))
    assert.deepEqual(unused, [])
  })
})

/** What the guide lists as not proved, by table. */
const unproved = new Map(
  [
    ...readFileSync(new URL('../../../../docs/guides/books.md', import.meta.url), 'utf8').matchAll(
      /^\| (\w+) \| (.*?) \|/gm,
    ),
  ]
    .map(([, table, left]) => [table!, left!] as const)
    .filter(([table]) => table !== 'table'),
)

describe('the guide', () => {
  test('says for every table what is proved about it', async () => {
    const tables = await db.query<{ name: string }>(sql`
      select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by relname`)
    assert.deepEqual(
      tables.map(({ name }) => name),
      [...unproved.keys()].sort(),
    )
    const changed = [...allTamperings, ...unseen].map(([change]) => change)
    const untried = tables.filter(({ name }) => !changed.some((change) => change.includes(` ${name} `)))
    assert.deepEqual(untried, [])
  })

  test('names everything that can be changed unnoticed', async () => {
    for (const [change, table] of unseen)
      assert.notEqual(unproved.get(table), 'nothing', `${table} is open: ${change}`)
    const all = unseen.map(([change]) => change).join(';')
    assert.deepEqual(foundBy((await provenAfter(all)).proof), [])
  })
})

/** Returns a different value for a column of each type. */
const otherValue: Record<string, string> = {
  text: "coalesce(%, '') || 'x'",
  bigint: 'coalesce(%, 0) + 1',
  numeric: 'coalesce(%, 0) + 1',
  integer: 'coalesce(%, 0) + 1',
  smallint: '% + 1',
  boolean: 'not %',
  uuid: 'gen_random_uuid()',
  bytea: "coalesce(%, '') || 'x'",
  xid8: "'1'",
  date: '% + 1',
  json: `'{"x": 1}'`,
  jsonb: `'[{"code": "x", "amount": "1"}]'`,
  environment: "case %::text when 'test' then 'live' else 'test' end::environment",
  'timestamp with time zone': "coalesce(%, now()) + interval '1 hour'",
  'text[]': "coalesce(%, '{}') || array['x']",
  'integer[]': 'array[9] || %',
  'uuid[]': '% || gen_random_uuid()',
}

/**
 * The checks that have already found something in a table, because they are likely to find its next change,
 * too.
 */
const finders = new Map<string, Set<string>>()

const isRefusedOrFound = (table: string, change: string): Promise<boolean> =>
  isFound(table, change).catch((error) => {
    if (error instanceof assert.AssertionError) throw error
    assert.match(String(error), /violates|no partition|can only be updated to DEFAULT/)
    return true
  })

async function isFound(table: string, change: string): Promise<boolean> {
  const ofTable = finders.get(table) ?? new Set()
  finders.set(table, ofTable)
  if (ofTable.size > 0) {
    const { changed, proof } = await provenAfter(change, (name) => ofTable.has(name))
    assert.equal(changed, 1)
    if (!proof.ok) return true
  }
  const [finder] = foundBy((await provenAfter(change)).proof)
  if (finder !== undefined) ofTable.add(finder)
  return finder !== undefined
}

/** A condition for the rows that the guide covers, if it does not cover the whole table. */
const onlyRows: Record<string, string> = {
  event_facts: "types <> '{}'",
  fact_kinds: 'kind in (select kind from sequenced_facts)',
  idempotency_keys: 'event_id is null',
  bill_payments: 'id in (select object_id from book_seals)',
}

describe('every single change to a row is refused or found, unless the guide excludes it', () => {
  for (const [table, left] of unproved) {
    // archive.slow.test.ts changes the tables about archived months.
    if (left === 'everything' || /^(archived|carried)_/.test(table)) continue
    test(`${table}, except: ${left}`, async () => {
      const columns = await db.query<{ name: string; type: string }>(sql`
        select attname as name, split_part(format_type(atttypid, atttypmod), '(', 1) as type from pg_attribute
        where attrelid = ${table}::regclass and attnum > 0 and not attisdropped order by attnum`)
      // One row with each status, or any row, unless the guide excludes the whole table.
      const kind = columns.find(({ name }) => name === 'status' || name === 'state')?.name ?? 'ctid is null'
      const only = onlyRows[table] ?? 'true'
      const rows = await db.query<{ part: string; sort: string }>(
        new Sql(
          `select distinct on (${kind}) tableoid::regclass::text as part, (${kind})::text as sort from ${table}
           where ${only} order by ${kind}`,
          [],
        ),
      )
      assert.ok(rows.length > 0, 'there is a row to change')
      const passed = new Set<string>()
      const [always = '', ofEnded = ''] = left.split('waiting or ended')
      const isLeftOut = (change: string, sort: string) => {
        const name = new RegExp(`\\b${change === 'removed' ? 'deleted rows' : change}\\b`)
        return name.test(always) || (/created|succeeded|failed/.test(sort) && name.test(ofEnded))
      }
      // Such a change is found only while it lasts: the program continues and moves rows.
      const rowOf = (part: string, sort: string) =>
        `ctid = (select ctid from ${part} where ${only} and (${kind})::text = '${sort}' limit 1)`
      for (const { part, sort } of rows)
        for (const { name, type } of [...columns, { name: 'removed', type: '' }]) {
          if (isLeftOut(name, sort)) continue
          const statement =
            name === 'removed'
              ? `delete from ${part} where ${rowOf(part, sort)}`
              : `update ${part} set "${name}" = ${otherValue[type]!.replaceAll('%', `"${name}"`)}
                 where ${rowOf(part, sort)}`
          if (!(await isRefusedOrFound(table, statement))) passed.add(`${name} where ${kind} is ${sort}`)
        }
      assert.deepEqual([...passed], [])
    })
  }
})
