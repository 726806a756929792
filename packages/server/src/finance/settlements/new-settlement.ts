import { must } from '@pesewa/values'
import { publish } from '../../events/events.ts'
import { newReference } from '../../ledger/accounts/reference.ts'
import { type Direction, selectBalances } from '../../ledger/accounts/store.ts'
import type { Tx } from '../../platform/db/database.ts'
import { violatedConstraint } from '../../platform/db/failures.ts'
import { newId } from '../../platform/ids.ts'
import { Issues, Refusal } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import type { Catalogue } from '../../rails/connections/catalogue.ts'
import { writeAuditEntry } from '../../tenants/spaces/audit.ts'
import { auditOf, eventOf, postSettlement } from './settlements.ts'
import { insertSettlement, type Settlement, type SettlementKind } from './store.ts'

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
