import { reconciledPayments } from './payments/reconciled.ts'
import { reconciledPayouts } from './payouts/reconciled.ts'

/** What of ours a provider's statement may name. */
export const reconciledObjects = [reconciledPayments, reconciledPayouts]
