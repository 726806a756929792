import { publishEach } from '../events/events.ts'
import { judgeAccount, judgeCurrency } from '../ledger/account-faults.ts'
import { findCurrencies, mainAccount } from '../ledger/accounts.ts'
import { reserveEach } from '../ledger/holds.ts'
import { findFeeRule } from '../payments/fee-rules.ts'
import { feeOn } from '../payments/fees.ts'
import type { Outcome } from '../platform/batches.ts'
import type { Scope } from '../platform/clock.ts'
import type { Reader, Tx } from '../platform/db/database.ts'
import type { Scoped } from '../platform/db/scoped.ts'
import type { Sound } from '../platform/http/route.ts'
import type { Metadata } from '../platform/http/shapes.ts'
import { newId, readId } from '../platform/ids.ts'
import { Faults } from '../platform/refusals.ts'
import type { Seals } from '../platform/seals.ts'
import { newReferences } from '../providers/references.ts'
import { judgeApprovals } from './approval.ts'
import { type Destination, type DestinationParts, type Payee, readDestination } from './destinations.ts'
import { instructPayouts, payoutEvent } from './payouts.ts'
import { type Payout, selectReferences, writePayouts } from './store.ts'

/** A payout as a request asks for it; ids in their outer form. */
export type NewPayout = {
  amount: { currency: string; value: number }
  destination: Destination
  /** The Space's main account of the currency when left out. */
  sourceAccount?: string | undefined
  metadata?: Metadata | undefined
  userId: string
  /** The request's: the same again means the same payout, also to the rail. */
  idempotencyKey: string
  at: Date
}

/** As much of it as can be judged; what is missing is somebody else's fault. */
export type SoundPayout = Sound<Pick<NewPayout, 'amount' | 'destination' | 'sourceAccount'>>

const feeCode = 'payout'

/**
 * Makes payouts of one Space, each whole or refused. Amount and fee are held, judged in their order; one that there is
 * too little money for has failed, and nothing of it is held.
 */
export async function createPayouts(
  tx: Tx,
  parts: DestinationParts & { seals: Seals },
  scope: Scope,
  given: NewPayout[],
): Promise<Outcome<Payout>[]> {
  const outcomes = await checkPayouts(tx, parts, scope, given)
  const checked = outcomes.flatMap((outcome) => ('answer' in outcome ? [outcome.answer] : []))
  if (checked.length === 0) return outcomes.flatMap((outcome) => ('error' in outcome ? [outcome] : []))
  const payouts = await hold(tx, scope, await planPayouts(tx, parts.seals, scope, checked))
  await writePayouts(tx, payouts)
  await instructPayouts(tx, payouts.filter(isToBeSent), payouts[0]!.createdAt)
  await publishEach(
    tx,
    payouts.map((payout) =>
      payoutEvent(
        payout.status === 'failed' ? ['payout.created', 'payout.failed'] : ['payout.created'],
        payout,
      ),
    ),
  )
  const made = payouts.values()
  return outcomes.map((outcome) => ('answer' in outcome ? { answer: made.next().value! } : outcome))
}

const isToBeSent = ({ status, approval }: Payout) => status === 'pending' && approval !== 'required'

type Checked = { wanted: NewPayout; payee: Payee; accountId: string | undefined }

/** Each request as what it wants, or all that is wrong with it. */
async function checkPayouts(
  tx: Tx,
  parts: DestinationParts,
  scope: Scope,
  given: NewPayout[],
): Promise<Outcome<Checked>[]> {
  const currencies = await sourceCurrencies(tx, scope, given)
  return given.map((wanted) => {
    const faults = new Faults()
    const { payee, accountId } = judgeOne(parts, scope, wanted, currencies, faults)
    if (!payee || faults.list.length > 0) return { error: faults.refusal() }
    return { answer: { wanted, payee, accountId } }
  })
}

/** Adds what is wrong with as much of a payout as is given. */
export async function judgePayout(
  db: Reader,
  parts: DestinationParts,
  scope: Scope,
  wanted: SoundPayout,
  faults: Faults,
): Promise<void> {
  judgeOne(parts, scope, wanted, await sourceCurrencies(db, scope, [wanted]), faults)
}

async function sourceCurrencies(
  db: Reader,
  scope: Scope,
  given: SoundPayout[],
): Promise<Map<string, string>> {
  const named = given.flatMap(({ sourceAccount = '' }) => readId('financialAccount', sourceAccount) ?? [])
  return named.length > 0 ? findCurrencies(db, scope, named) : new Map()
}

function judgeOne(
  parts: DestinationParts,
  scope: Scope,
  { amount, destination, sourceAccount }: SoundPayout,
  currencies: Map<string, string>,
  faults: Faults,
): { payee: Payee | undefined; accountId: string | undefined } {
  const currency = judgeCurrency(faults, 'amount.currency', amount?.currency)
  const accountId = sourceAccount && (readId('financialAccount', sourceAccount) ?? '')
  if (accountId !== undefined)
    judgeAccount(faults, 'source.financialAccountId', currencies.get(accountId), currency)
  return { payee: readDestination(parts, scope, destination, currency, faults), accountId }
}

/** As they are when there is enough money for them, but for the hold. */
async function planPayouts(tx: Tx, seals: Seals, scope: Scope, checked: Checked[]): Promise<Payout[]> {
  const currencies = [...new Set(checked.map(({ wanted }) => wanted.amount.currency))].sort()
  const [rules, mains] = [
    new Map<string, Awaited<ReturnType<typeof findFeeRule>>>(),
    new Map<string, string>(),
  ]
  for (const currency of currencies) {
    rules.set(currency, await findFeeRule(tx, scope, feeCode, currency))
    if (
      checked.some(({ wanted, accountId }) => accountId === undefined && wanted.amount.currency === currency)
    )
      mains.set(currency, await mainAccount(tx, scope, currency, checked[0]!.wanted.at))
  }
  const approvals = await judgeApprovals(
    tx,
    scope,
    checked.map(({ wanted: { amount, userId }, payee }) => ({ amount, userId, payeeAccount: payee.account })),
    checked[0]!.wanted.at,
  )
  const purposes = checked.map(({ wanted }) => ({ scope, purpose: `payout ${wanted.idempotencyKey}` }))
  const references = await newReferences(seals, purposes, (some) =>
    selectReferences(
      tx,
      scope,
      some.map(({ reference }) => reference),
    ),
  )
  return checked.map(({ wanted, payee, accountId }, i) => {
    const { currency, value } = wanted.amount
    const amount = BigInt(value)
    const fee = feeOn(amount, rules.get(currency)!)
    const { needsApproval, countsUnapproved } = approvals[i]!
    return {
      id: newId(wanted.at),
      status: 'pending',
      amount,
      currency,
      fees: fee > 0n ? [{ code: feeCode, amount: String(fee) }] : [],
      financialAccountId: accountId ?? mains.get(currency)!,
      destinationType: payee.type,
      providerId: payee.providerId,
      payeeAccount: payee.account,
      railReference: references[i]!,
      railTransaction: null,
      holdId: null,
      ledgerReference: null,
      failureCode: null,
      failureMessage: null,
      createdBy: wanted.userId,
      approval: needsApproval ? 'required' : null,
      approvalUserId: null,
      approvalAt: null,
      countsUnapproved,
      metadata: wanted.metadata ?? {},
      createdAt: wanted.at,
      updatedAt: wanted.at,
    }
  })
}

async function hold(tx: Tx, scope: Scope, payouts: Payout[]): Promise<Scoped<Payout>[]> {
  const holds = await reserveEach(
    tx,
    payouts.map(({ id, financialAccountId, amount, fees, createdAt }) => ({
      scope,
      at: createdAt,
      accountId: financialAccountId,
      amount: fees.reduce((sum, fee) => sum + BigInt(fee.amount), amount),
      owner: { id, type: 'payout' },
    })),
  )
  return payouts.map((payout, i) => {
    const made = holds[i]
    return { ...(made ? { ...payout, holdId: made.id } : withoutMoney(payout)), scope }
  })
}

/** Nobody is asked to approve what cannot be paid, and no fee is due for it. */
const withoutMoney = (payout: Payout): Payout => ({
  ...payout,
  status: 'failed',
  fees: [],
  approval: null,
  failureCode: 'fund_insufficient',
  failureMessage: 'The account has less than the amount and its fee available.',
})
