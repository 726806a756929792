import { shareEvents } from '../../events/event-store.ts'
import { deliveryIds, eventIds, webhookIds } from '../../events/resources.ts'
import { shareDeliveries } from '../../events/webhooks/delivery-store.ts'
import { shareWebhooks } from '../../events/webhooks/store.ts'
import { settlementIds } from '../../finance/settlements/resources.ts'
import { shareSettlements } from '../../finance/settlements/store.ts'
import { shareCases } from '../../ledger/accounts/case-store.ts'
import { accountIds, caseIds, transactionIds } from '../../ledger/accounts/resources.ts'
import { shareAccounts, shareLines } from '../../ledger/accounts/store.ts'
import { transferIds } from '../../ledger/transfers/resources.ts'
import { shareTransfers } from '../../ledger/transfers/store.ts'
import { paymentIds } from '../../money/payments/resources.ts'
import { sharePayments } from '../../money/payments/store.ts'
import { shareBatches } from '../../money/payout-batches/store.ts'
import { batchIds, payoutIds } from '../../money/payouts/resources.ts'
import { sharePayouts } from '../../money/payouts/store.ts'
import { recallIds } from '../../money/recalls/resources.ts'
import { shareRecalls } from '../../money/recalls/store.ts'
import { refundIds } from '../../money/refunds/resources.ts'
import { shareRefunds } from '../../money/refunds/store.ts'
import type { Database } from '../../platform/db/database.ts'
import { type IdKind, readId, requestIds } from '../../platform/ids.ts'
import type { Scope } from '../../platform/scope.ts'
import type { FindRow } from '../../platform/shared-reads.ts'
import { selectRequest } from '../../tenants/requests/store.ts'
import { linkIds, sessionIds } from '../../ways-to-pay/checkout/resources.ts'
import { shareSessions } from '../../ways-to-pay/checkout/store.ts'
import { codeIds } from '../../ways-to-pay/payment-codes/resources.ts'
import { shareCodes } from '../../ways-to-pay/payment-codes/store.ts'
import { shareLinks } from '../../ways-to-pay/payment-links/store.ts'
import { shareOtps } from '../../ways-to-pay/ussd/otp-store.ts'
import { otpIds } from '../../ways-to-pay/ussd/resources.ts'
import * as show from './hits.ts'
import type { Hit } from './shapes.ts'

type May = (permission: string) => boolean

/**
 * Returns a function that finds an object of any type by its id. It returns no hits if the caller may not read
 * objects of this type, and `undefined` if the text is not an id.
 */
export function openIdentified(db: Database) {
  const kind = <Row>(ids: IdKind, resource: string, find: FindRow<Row>, present: (row: Row) => Hit) => ({
    ids,
    permission: `${resource}:read`,
    async find(scope: Scope, id: string): Promise<Hit[]> {
      const row = await find(scope, id)
      return row === undefined ? [] : [present(row)]
    },
  })
  const kinds = [
    kind(paymentIds, 'payments', sharePayments(db), show.showPayment),
    kind(payoutIds, 'payouts', sharePayouts(db), show.showPayout),
    kind(batchIds, 'payouts', shareBatches(db), show.showBatch),
    kind(recallIds, 'payouts', shareRecalls(db), show.showRecall),
    kind(refundIds, 'refunds', shareRefunds(db), show.showRefund),
    kind(sessionIds, 'checkout-sessions', shareSessions(db), show.showSession),
    kind(linkIds, 'payment-links', shareLinks(db), show.showLink),
    kind(codeIds, 'payment-codes', shareCodes(db), show.showCode),
    kind(otpIds, 'ussd-otps', shareOtps(db), show.showOtp),
    kind(accountIds, 'financial-accounts', shareAccounts(db), show.showAccount),
    kind(transactionIds, 'financial-transactions', shareLines(db), show.showLine),
    kind(caseIds, 'financial-transactions', shareCases(db), show.showCase),
    kind(transferIds, 'internal-transfers', shareTransfers(db), show.showTransfer),
    kind(settlementIds, 'settlements', shareSettlements(db), show.showSettlement),
    kind(eventIds, 'events', shareEvents(db), show.showEvent),
    kind(webhookIds, 'webhooks', shareWebhooks(db), show.showWebhook),
    kind(deliveryIds, 'webhooks', shareDeliveries(db), show.showDelivery),
    kind(requestIds, 'requests', (scope, id) => selectRequest(db, scope, id), show.showRequest),
  ]
  return async (scope: Scope, may: May, text: string): Promise<Hit[] | undefined> => {
    for (const { ids, permission, find } of kinds) {
      const id = readId(ids, text)
      if (id !== undefined) return may(permission) ? find(scope, id) : []
    }
    return undefined
  }
}
