import type { ComponentType } from 'preact'
import type { addresses } from './addresses.ts'

export type LoadPage = () => Promise<{ default: ComponentType }>

/** The code of each page comes with its first visit. */
export const loadPage: Record<(typeof addresses)[number]['path'], LoadPage> = {
  '/': () => import('./home/home.tsx'),
  '/payments': () => import('./payments/payments.tsx'),
  '/payments/:id': () => import('./payments/payment.tsx'),
  '/checkout-sessions': () => import('./checkout-sessions/checkout-sessions.tsx'),
  '/checkout-sessions/new': () => import('./checkout-sessions/new.tsx'),
  '/checkout-sessions/:id': () => import('./checkout-sessions/session.tsx'),
  '/payment-codes': () => import('./payment-codes/payment-codes.tsx'),
  '/payment-codes/new': () => import('./payment-codes/new.tsx'),
  '/payment-codes/:id': () => import('./payment-codes/code.tsx'),
  '/payers': () => import('./payers/payers.tsx'),
  '/receipts': () => import('./receipts/receipts.tsx'),
  '/receipts/:orderNumber': () => import('./receipts/receipt.tsx'),
  '/payouts': () => import('./payouts/payouts.tsx'),
  '/payouts/new': () => import('./payouts/new.tsx'),
  '/payouts/:id': () => import('./payouts/payout.tsx'),
  '/payout-batches': () => import('./payout-batches/payout-batches.tsx'),
  '/payout-batches/new': () => import('./payout-batches/new.tsx'),
  '/payout-batches/:id': () => import('./payout-batches/batch.tsx'),
  '/approvals': () => import('./approvals/approvals.tsx'),
  '/webhooks': () => import('./webhooks/webhooks.tsx'),
  '/webhooks/:id': () => import('./webhooks/webhook.tsx'),
  '/deliveries/:id': () => import('./webhooks/delivery.tsx'),
  '/events': () => import('./events/events.tsx'),
  '/events/:id': () => import('./events/event.tsx'),
  '/try': () => import('./try/try.tsx'),
  '/settings': () => import('./settings/settings.tsx'),
  '/installation/health': () => import('./installation/health.tsx'),
  '/installation/spaces': () => import('./installation/spaces.tsx'),
  '/installation/spaces/:id': () => import('./installation/space.tsx'),
}
