import type { Payment } from '../../money/payments/store.ts'
import { boolean } from '../../platform/db/columns.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { bySpace, selectEach } from '../../platform/db/lookups.ts'
import { globalName, type Scoped } from '../../platform/db/scoped.ts'
import { table } from '../../platform/db/table.ts'
import { enqueueEach } from '../../platform/jobs/queue.ts'
import type { Scope } from '../../platform/scope.ts'
import type { CheckoutSettings } from './settings.ts'

const settings = table('receipt_settings', [], { isSentBySms: boolean })

const upsert = settings.upsert('isSentBySms')

/** Returns whether payers in a Space receive receipts by text message. */
export const sendsReceiptsBySms = async (db: Reader, scope: Scope): Promise<boolean> =>
  (await db.one(settings.of(scope)))?.isSentBySms ?? false

/** Returns the global names of the given Spaces that send receipts by text message. */
async function findSpacesSendingSms(db: Reader, ofSpaces: Scoped<unknown>[]): Promise<Set<string>> {
  const rows = await selectEach(db, bySpace(ofSpaces), settings.requested)
  return new Set(rows.filter(({ isSentBySms }) => isSentBySms).map(({ scope }) => globalName(scope, '')))
}

export const setReceiptsBySms = (tx: Tx, scope: Scope, isSentBySms: boolean) =>
  tx.run(upsert([{ isSentBySms, scope }]))

/** Enqueues a text message for each mobile money payment in a Space that sends receipts by text message. */
export async function enqueueReceipts(
  tx: Tx,
  { smsUrl }: CheckoutSettings,
  payments: Scoped<Payment>[],
): Promise<void> {
  const byPhone = payments.filter(({ channelType }) => channelType === 'momo')
  if (!smsUrl || byPhone.length === 0) return
  const sending = await findSpacesSendingSms(tx, byPhone)
  enqueueEach(
    tx,
    byPhone
      .filter(({ scope }) => sending.has(globalName(scope, '')))
      // The phone number is stored only with the payment.
      .map(({ scope, id }) => ({ job: 'receipt.sms', payload: { ...scope, paymentId: id } })),
  )
}
