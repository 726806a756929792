import { must, wholeNumber } from '@pesewa/values'
import { type NewEvent, publish } from '../../events/events.ts'
import { clearingPurpose, systemAccounts } from '../../ledger/accounts/accounts.ts'
import { post } from '../../ledger/accounts/postings.ts'
import { newReference } from '../../ledger/accounts/reference.ts'
import { isBalanceOutOfRange } from '../../ledger/accounts/store.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Scoped } from '../../platform/db/scoped.ts'
import { showId } from '../../platform/ids.ts'
import { existing, Refusal } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import { type Decider, readDecider, writeAuditEntry } from '../../tenants/spaces/audit.ts'
import { ownershipGraph } from '../../tenants/spaces/ownership.ts'
import { settlementIds } from './resources.ts'
import { lockSettlement, type Settlement, selectScope, updateReversed } from './store.ts'

/**
 * Posts a settlement: credits the clearing account for money that left the provider, and debits it for money
 * that the provider received. Returns the clearing account.
 */
export async function postSettlement(
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

export const auditOf = ({ id, ...settlement }: Settlement) => ({
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
  const settlement = existing(await lockSettlement(tx, scope, id))
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

export const eventOf = (
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
  ownershipGraph: ownershipGraph(spaceId),
})
