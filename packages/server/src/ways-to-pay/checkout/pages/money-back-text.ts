import type { Texts } from './texts.ts'
import type { MoneyBack } from './view.ts'

/** Returns a sentence about money that was or is being returned to the payer. */
export function moneyBackText(back: MoneyBack, { moneyBack: t }: Texts, merchant: string): string {
  const account = back.account || t.sameAccount
  if (back.kind === 'refund') return t.refunded(back.amount, account, back.date)
  switch (back.state) {
    case 'done':
      return t.twice.done(back.amount, account, back.date)
    case 'failed':
      return t.twice.failed(back.amount, account, merchant)
    default:
      return t.twice.pending(back.amount, account)
  }
}
