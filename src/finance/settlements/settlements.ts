import { must, wholeNumber } from '@pesewa/values'
import { type NewEvent, publish } from '../../events/events.ts'
import { clearingPurpose, systemAccounts } from '../../ledger/accounts/accounts.ts'
import { post } from '../../ledger/accounts/postings.ts'
import { newReference } from '../../ledger/accounts/reference.ts'
import { type Direction, isBalanceOutOfRange, selectBalances } from '../../ledger/accounts/store.ts'
import type { Tx } from '../../platform/db/database.ts'
import { violatedConstraint } from '../../platform/db/failures.ts'
import type { Scoped } from '../../platform/db/scoped.ts'
import { newId, showId } from '../../platform/ids.ts'
import { Issues, Refusal } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import type { Catalogue } from '../../rails/connections/catalogue.ts'
import { type Decider, readDecider, writeAuditEntry } from '../../tenants/spaces/audit.ts'
import { spaceGraph } from '../../tenants/spaces/ownership.ts'
import { settlementIds } from './resources.ts'
import {
  insertSettlement,
  lockSettlement,
  type Settlement,
  type SettlementKind,
  selectScope,
  updateReversed,
} from './store.ts'

export type NewSettlement = {
  kind: SettlementKind
  providerId: string
  /** Defaults to `collection` for payouts to the bank, and to `disbursement` for float top-ups. */
  direction?: Direction | undefined
  amount: { currency: string; value: number }
  bankReference: string
  /** The bank's value date, such as `2026-11-20`. */
  valueDate: string
  note?: string | undefined
  isAdvance?: boolean | undefined
}

const usualDirection = { payout_to_bank: 'collection', float_top_up: 'disbursement' } as const

/**
 * Books money moved between a provider and a bank: one line on the clearing account and one on `bank`.
 *
 * @throws Refusal `arguments_invalid`; `reference_in_use` if this bank entry is already booked;
 * `state_conflict` if the provider owes less than the amount
 */
export async function bookSettlement(
  tx: Tx,
  catalogue: Catalogue,
  scope: Scope,
  newSettlement: NewSettlement,
  by: string,
  at: Date,
): Promise<Settlement> {
  const issues = new Issues()
  validateSettlement(catalogue, newSettlement, at, issues)
  issues.refuse()
  const settlement = settlementOf(newSettlement, by.trim(), at)
  await insertSettlement(tx, { ...settlement, scope }).catch(refuseBookedTwice)
  const clearing = await postSettlement(tx, scope, settlement, settlement.ledgerReference, at)
  await refuseMoreThanOwed(tx, scope, settlement, clearing)
  const reason = settlement.note ?? `bank reference ${settlement.bankReference}`
  await writeAuditEntry(tx, scope, { by, reason }, { ...auditOf(settlement), action: 'settlement.book' })
  publish(tx, scope, eventOf(scope, settlement, 'settlement.created'))
  return settlement
}

const dayMs = 86_400_000

/** Checks a settlement against the rules that the schema of a request cannot express. */
export function validateSettlement(
  catalogue: Catalogue,
  {
    kind,
    direction,
    providerId,
    amount,
    valueDate,
  }: {
    kind?: SettlementKind | undefined
    direction?: Direction | undefined
    providerId?: string | undefined
    amount?: { currency?: string | undefined } | undefined
    valueDate?: string | undefined
  },
  at: Date,
  issues: Issues,
): void {
  const provider = providerId === undefined ? undefined : catalogue.find(providerId)
  if (providerId !== undefined && !provider) issues.add('providerId', 'does not name a provider')
  if (provider && amount?.currency !== undefined && !provider.currencies.includes(amount.currency))
    issues.add(
      'amount.currency',
      `is not accepted by ${providerId}; it accepts ${provider.currencies.join(', ')}`,
    )
  if (kind === 'float_top_up' && direction === 'collection')
    issues.add('direction', 'must be disbursement, since float is for payouts')
  // Tomorrow may already have begun in the bank's time zone.
  const last = new Date(at.getTime() + dayMs).toISOString().slice(0, 10)
  if (valueDate !== undefined && valueDate > last) issues.add('valueDate', 'must be no later than tomorrow')
}

const settlementOf = (
  {
    kind,
    direction = usualDirection[kind],
    amount,
    note,
    isAdvance = false,
    ...newSettlement
  }: NewSettlement,
  by: string,
  at: Date,
): Settlement => ({
  ...{ id: newId(at), kind, direction, providerId: newSettlement.providerId },
  ...{ amount: BigInt(amount.value), currency: amount.currency },
  ...{
    bankReference: newSettlement.bankReference.trim(),
    valueDate: newSettlement.valueDate,
    note: note?.trim() || null,
    isAdvance,
  },
  ...{ createdBy: by, ledgerReference: newReference(at), createdAt: at, updatedAt: at },
  ...{ reversedAt: null, reversedBy: null, reversalReason: null, reversalReference: null },
})

function refuseBookedTwice(error: unknown): never {
  if (violatedConstraint(error) !== 'settlements_booked') throw error
  throw new Refusal('reference_in_use', {
    message: 'This bank entry is already booked.',
    details: [
      { param: 'bankReference', errors: ['is already used by another settlement with this provider'] },
    ],
  })
}

/**
 * Posts a settlement: credits the clearing account for money that left the provider, and debits it for money
 * that the provider received. Returns the clearing account.
 */
async function postSettlement(
  tx: Tx,
  scope: Scope,
  { id, kind, providerId, direction, currency, ...settlement }: Settlement,
  reference: string,
  at: Date,
  sign = 1n,
): Promise<string> {
  const [clearing, bank] = await systemAccounts(tx, [
    { scope, currency, at, ...clearingPurpose(providerId, direction) },
    { scope, currency, at, purpose: 'bank' },
  ])
  const amount = sign * (kind === 'payout_to_bank' ? settlement.amount : -settlement.amount)
  const movements = [
    { accountId: must(clearing, 'clearing account'), amount },
    { accountId: must(bank, 'bank account'), amount: -amount },
  ]
  const owners = [{ type: 'settlement', id }]
  await post(tx, scope, { reference, at, owners, movements }).catch(refuseOutOfRange)
  return must(clearing, 'clearing account')
}

function refuseOutOfRange(error: unknown): never {
  if (!isBalanceOutOfRange(error)) throw error
  throw new Refusal('state_conflict', {
    message: 'This would exceed the maximum balance of an account.',
  })
}

/**
 * Refuses a payout to the bank if its amount exceeds the amount owed. The posting has already locked the
 * accounts, so no other transaction can change them before this one ends.
 */
async function refuseMoreThanOwed(
  tx: Tx,
  scope: Scope,
  { kind, isAdvance, amount }: Settlement,
  clearing: string,
): Promise<void> {
  if (kind === 'float_top_up' || isAdvance) return
  const { posted } = must((await selectBalances(tx, scope, [clearing])).get(clearing), 'balance')
  if (posted <= 0n) return
  const owed = amount - posted
  throw new Refusal('state_conflict', {
    message: 'The provider owes less than this amount. If it paid in advance, set `isAdvance`.',
    details: [
      { param: 'amount.value', errors: [`exceeds the ${owed < 0n ? 0n : owed} that the provider owes`] },
    ],
  })
}

const auditOf = ({ id, ...settlement }: Settlement) => ({
  objectType: 'settlement',
  objectId: id,
  details: {
    bankReference: settlement.bankReference,
    valueDate: settlement.valueDate,
    isAdvance: settlement.isAdvance,
    note: settlement.note,
  },
})

/**
 * Reverses a settlement that was booked by mistake, by booking its two lines in the opposite direction. The
 * bank reference can then be used again.
 *
 * @throws Refusal `not_found`; `state_conflict` if it is already reversed; `arguments_invalid`
 */
export async function reverseSettlement(
  tx: Tx,
  scope: Scope,
  id: string,
  decider: Decider,
  at: Date,
): Promise<Settlement> {
  const { by, reason } = readDecider(decider)
  const settlement = await lockSettlement(tx, scope, id)
  if (!settlement) throw new Refusal('not_found')
  if (settlement.reversedAt)
    throw new Refusal('state_conflict', {
      message: `This settlement was reversed at ${settlement.reversedAt.toISOString()}.`,
    })
  const reversed = {
    ...settlement,
    ...{ reversedAt: at, reversedBy: by, reversalReason: reason, reversalReference: newReference(at) },
    updatedAt: at,
  }
  await postSettlement(tx, scope, settlement, reversed.reversalReference, at, -1n)
  await updateReversed(tx, { ...reversed, scope })
  await writeAuditEntry(tx, scope, { by, reason }, { ...auditOf(settlement), action: 'settlement.reverse' })
  publish(tx, scope, eventOf(scope, reversed, 'settlement.reversed'))
  return reversed
}

/** Returns the Space and environment of a settlement. This is needed because operators specify only its id. */
export async function scopeOf(tx: Tx, id: string): Promise<Scope> {
  const scope = await selectScope(tx, id)
  if (!scope) throw new Refusal('not_found', { message: 'There is no such settlement.' })
  return scope
}

const eventOf = (
  scope: Scope,
  settlement: Settlement,
  type: 'settlement.created' | 'settlement.reversed',
): NewEvent => ({
  types: [type],
  objectId: settlement.id,
  data: presentSettlement(scope, settlement),
  at: settlement.updatedAt,
})

/** Returns the settlement as an API resource. */
export const presentSettlement = ({ spaceId }: Scope, settlement: Settlement | Scoped<Settlement>) => ({
  id: showId(settlementIds, settlement.id),
  status: settlement.reversedAt ? ('reversed' as const) : ('booked' as const),
  kind: settlement.kind,
  providerId: settlement.providerId,
  direction: settlement.direction,
  amount: { currency: settlement.currency, value: wholeNumber(settlement.amount) },
  bankReference: settlement.bankReference,
  valueDate: settlement.valueDate,
  note: settlement.note,
  isAdvance: settlement.isAdvance,
  createdBy: settlement.createdBy,
  financialTransactionReference: settlement.ledgerReference,
  reversal:
    settlement.reversedAt &&
    settlement.reversedBy &&
    settlement.reversalReason &&
    settlement.reversalReference
      ? {
          by: settlement.reversedBy,
          reason: settlement.reversalReason,
          financialTransactionReference: settlement.reversalReference,
          createTime: settlement.reversedAt.toISOString(),
        }
      : null,
  createTime: settlement.createdAt.toISOString(),
  updateTime: settlement.updatedAt.toISOString(),
  ownershipGraph: spaceGraph(spaceId),
})
