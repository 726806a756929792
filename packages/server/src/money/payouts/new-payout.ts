import { must } from '@pesewa/values'
import { mainAccounts } from '../../ledger/accounts/accounts.ts'
import { findCurrencies, validateAccount, validateCurrency } from '../../ledger/accounts/currencies.ts'
import { reserveEach } from '../../ledger/accounts/holds.ts'
import { accountIds } from '../../ledger/accounts/resources.ts'
import { answersOf, type Outcome, withAnswers } from '../../platform/batches.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { globalName, type Scoped } from '../../platform/db/scoped.ts'
import { sql } from '../../platform/db/sql.ts'
import type { WellFormed } from '../../platform/http/commands/route.ts'
import type { Metadata } from '../../platform/http/shapes/shapes.ts'
import { readId } from '../../platform/ids.ts'
import { Issues, Refusal } from '../../platform/refusals.ts'
import type { Seals } from '../../platform/seals.ts'
import { newReferences } from '../../rails/connections/references.ts'
import { newRow, selectReferencesOf } from '../../rails/instructions/transaction-rows.ts'
import type { Providers } from '../../rails/providers/providers.ts'
import { announceApprovals } from '../approvals/announcing.ts'
import { type Approval, newApproval } from '../approvals/approvals.ts'
import { checkApprovals } from '../approvals/policy.ts'
import { findFees, sumFees } from '../fees/fees.ts'
import { type Destination, type Payee, readDestination } from './destinations.ts'
import { instructPayouts, type PayoutParts, payoutRows } from './payouts.ts'
import { type Payout, writePayouts } from './store.ts'

/** A payout as requested, with ids in their public form. */
export type NewPayout = {
  amount: { currency: string; value: number }
  destination: Destination
  /** By default, the Space's main account in the currency. */
  sourceAccount?: string | undefined
  metadata?: Metadata | undefined
  userId: string
  /**
   * Text from which the rail reference is derived. If a client repeats the request, the text is the same (see
   * `newReferences`).
   */
  purpose: string
  batch?: BatchPosition
  at: Date
}

/**
 * The batch that a payout belongs to, its row in the batch, and the user who approved the batch. The user is
 * null if the batch needed no approval.
 */
export type BatchPosition = { id: string; row: number; approvedBy: string | null }

/** The well-formed parts of a request that is to be validated. */
export type UnvalidatedPayout = WellFormed<Pick<NewPayout, 'amount' | 'destination' | 'sourceAccount'>>

/**
 * Creates payouts, which may belong to several Spaces. Each one is created or refused independently of the
 * others. Amounts and fees are held in the given order. If the balance does not cover a payout, the payout
 * fails, and nothing is held for it.
 */
export async function createPayouts(
  tx: Tx,
  parts: PayoutParts,
  requests: Scoped<NewPayout>[],
): Promise<Outcome<Scoped<Payout>>[]> {
  const checked = await checkPayouts(tx, parts, requests)
  const sound = answersOf(checked)
  const payouts = sound.length > 0 ? await writeNew(tx, parts, sound) : []
  return withAnswers(checked, payouts)
}

/**
 * Creates either all of the given payouts, in the order of their ids, or none of them.
 *
 * @throws Refusal `fund_insufficient` if the balance does not cover all of them; `arguments_invalid`, whose
 * issues include the index of the request, as in `rows[0].destination.providerId`
 */
export async function createAllPayouts(
  tx: Tx,
  parts: PayoutParts,
  requests: Scoped<NewPayout>[],
): Promise<Scoped<Payout>[]> {
  const checked = await checkPayouts(tx, parts, requests)
  const issues = new Issues()
  const sound = checked.flatMap((outcome, i) => {
    if ('answer' in outcome) return [outcome.answer]
    if (!(outcome.error instanceof Refusal)) throw outcome.error
    issues.addInside(`rows[${i}]`, outcome.error.details)
    return []
  })
  issues.refuse()
  const payouts = await hold(tx, await planPayouts(tx, parts.seals, sound))
  if (payouts.some(({ status }) => status === 'failed'))
    throw new Refusal('fund_insufficient', { message: 'The balance does not cover all of these payouts.' })
  return instructNew(tx, parts, payouts)
}

async function writeNew(tx: Tx, parts: PayoutParts, requests: ValidRequest[]): Promise<Scoped<Payout>[]> {
  const payouts = await hold(tx, await planPayouts(tx, parts.seals, requests))
  return instructNew(tx, parts, payouts)
}

/** Publishes the events of new payouts, and instructs providers to send those that can be sent. */
function instructNew(tx: Tx, parts: PayoutParts, payouts: Scoped<Payout>[]): Scoped<Payout>[] {
  for (const payout of payouts)
    if (payout.status === 'failed') payoutRows.publish(tx, [payout], 'payout.created', 'payout.failed')
    else payoutRows.publish(tx, [payout], 'payout.created')
  const instructed = instructPayouts(tx, parts, payouts.filter(isToBeSent))
  writePayouts(tx, [...instructed, ...payouts.filter((payout) => !isToBeSent(payout))])
  announceApprovals(tx, 'payouts:approve', payouts.filter(awaitsApproval))
  return payouts
}

const isToBeSent = ({ status, approval }: Payout) => status === 'pending' && approval !== 'required'
const awaitsApproval = ({ status, approval }: Payout) => status === 'pending' && approval === 'required'

type ValidRequest = Scoped<NewPayout & { payee: Payee; accountId: string | undefined }>

/** Returns, for each request, either the request with its payee and account or all of its issues. */
async function checkPayouts(
  tx: Tx,
  parts: Providers,
  requests: Scoped<NewPayout>[],
): Promise<Outcome<ValidRequest>[]> {
  const currencies = await sourceCurrencies(tx, requests)
  return requests.map((request) => {
    const issues = new Issues()
    const { payee, accountId } = validateRequest(parts, request, currencies, issues)
    if (!payee || issues.list.length > 0) return { error: issues.refusal() }
    return { answer: { ...request, payee, accountId } }
  })
}

/** Adds an issue for each error in the well-formed parts of a request. */
export async function validatePayout(
  db: Reader,
  parts: Providers,
  request: Scoped<UnvalidatedPayout>,
  issues: Issues,
): Promise<void> {
  validateRequest(parts, request, await sourceCurrencies(db, [request]), issues)
}

/** Returns the currencies of the requested accounts. The map's keys are the global names of the accounts. */
function sourceCurrencies(db: Reader, requests: Scoped<UnvalidatedPayout>[]): Promise<Map<string, string>> {
  return findCurrencies(
    db,
    requests.flatMap(({ scope, sourceAccount = '' }) => {
      const id = readId(accountIds, sourceAccount)
      return id ? [{ scope, id }] : []
    }),
  )
}

function validateRequest(
  parts: Providers,
  { scope, amount, destination, sourceAccount }: Scoped<UnvalidatedPayout>,
  currencies: Map<string, string>,
  issues: Issues,
): { payee: Payee | undefined; accountId: string | undefined } {
  const currency = validateCurrency(issues, 'amount.currency', amount?.currency)
  const accountId = sourceAccount && (readId(accountIds, sourceAccount) ?? '')
  if (accountId !== undefined) {
    const ofAccount = currencies.get(globalName(scope, accountId))
    validateAccount(issues, 'source.financialAccountId', ofAccount, currency)
  }
  return { payee: readDestination(parts, scope, destination, currency, issues), accountId }
}

/** Returns the payouts as they would be if the balance covered all of them. Nothing is held yet. */
async function planPayouts(tx: Tx, seals: Seals, requests: ValidRequest[]): Promise<Scoped<Payout>[]> {
  const amounts = requests.map((request) => {
    const { currency, value } = request.amount
    return { ...request, currency, amount: BigInt(value) }
  })
  const fees = await findFees(tx, amounts, 'payout')
  const unnamed = amounts.filter(({ accountId }) => accountId === undefined)
  const mains = (await mainAccounts(tx, unnamed)).values()
  const approvals = await findApprovals(tx, amounts)
  const references = await newReferences(seals, requests, (some) =>
    selectReferencesOf(tx, sql`payouts`, some),
  )
  return amounts.map(({ scope, amount, currency, payee, accountId, userId, metadata, batch, at }, i) => {
    return {
      ...newRow(at),
      scope,
      amount,
      currency,
      fees: must(fees[i], 'fees of a payout'),
      financialAccountId: accountId ?? must(mains.next().value, 'main account'),
      destinationType: payee.type,
      providerId: payee.providerId,
      payeeAccount: payee.account,
      railReference: must(references[i], 'rail reference'),
      holdId: null,
      createdBy: userId,
      ...must(approvals[i], 'approval of an amount'),
      batchId: batch?.id ?? null,
      batchRow: batch?.row ?? null,
      recalled: 0n,
      metadata: metadata ?? {},
    }
  })
}

/**
 * Returns the approval of each payout. An approval may be required, not needed, or already given with the
 * payout's batch.
 */
async function findApprovals(
  tx: Tx,
  requests: (Omit<ValidRequest, 'amount'> & { currency: string; amount: bigint })[],
): Promise<(Approval & { countsUnapproved: boolean })[]> {
  const judged = await checkApprovals(
    tx,
    'payout',
    sql`payouts`,
    requests.flatMap(({ payee, ...request }) =>
      request.batch?.approvedBy ? [] : [{ ...request, payeeAccount: payee.account }],
    ),
  )
  const others = judged.values()
  return requests.map(({ batch, at }) => {
    if (batch?.approvedBy)
      return {
        approval: 'approved',
        approvalUserId: batch.approvedBy,
        approvalAt: at,
        countsUnapproved: false,
      }
    const { needsApproval, countsUnapproved } = must(others.next().value, 'approval of an amount')
    return { ...newApproval(needsApproval), countsUnapproved }
  })
}

async function hold(tx: Tx, payouts: Scoped<Payout>[]): Promise<Scoped<Payout>[]> {
  const holds = await reserveEach(
    tx,
    payouts.map(({ scope, id, financialAccountId, amount, fees, createdAt }) => ({
      scope,
      at: createdAt,
      accountId: financialAccountId,
      amount: amount + sumFees(fees),
      owner: { id, type: 'payout' },
    })),
  )
  return payouts.map((payout, i) => {
    const made = holds[i]
    return made ? { ...payout, holdId: made.id } : failedForFunds(payout)
  })
}

/**
 * Returns a payout that the balance does not cover, in its failed state. It needs no approval, and no fee is
 * charged.
 */
const failedForFunds = (payout: Scoped<Payout>): Scoped<Payout> => ({
  ...payout,
  status: 'failed',
  fees: [],
  approval: null,
  failureCode: 'fund_insufficient',
  failureMessage: 'The account’s available balance does not cover the amount and the fee.',
})
