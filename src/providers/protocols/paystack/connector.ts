import type { Agent } from 'undici'
import { fieldsOf } from '../../../platform/fields.ts'
import type { Connector, RailBalance, UnknownOutcome } from '../../connector.ts'
import { openCharges } from './charges.ts'
import { moneyOf, openMessages, type PaystackAnswer, unclear } from './messages.ts'
import { openRefunds } from './refunds.ts'
import { readReport } from './report.ts'
import type { PaystackSettings } from './settings.ts'
import { openTransfers } from './transfers.ts'

/**
 * Paystack's API. Our reference is that of the charge, of the transfer, and stands in the note of the refund.
 *
 * @param peer the connections to Paystack; closed with the connector
 */
export function createPaystack(settings: PaystackSettings, peer: Agent): Connector {
  const messages = openMessages(settings, peer)
  const { submitCode, ...charges } = openCharges(settings, messages)
  const { verifyAccount, ...transfers } = openTransfers(settings, messages)
  const isMomo = settings.type === 'momo'
  return {
    ...(settings.type === 'card' && { pageOrigin: settings.pageOrigin }),
    // A payout makes its recipient first, a refund lists those that there are.
    longestCallMs: 2 * settings.timeoutMs,
    preparationMs: settings.timeoutMs,
    firstQueryMs: 10_000,
    missingAfterMs: settings.missingAfterMs,
    ...charges,
    ...(isMomo && { ...transfers, submitCode }),
    ...openRefunds(settings, messages),
    // Elsewhere Paystack knows no names of wallets.
    ...(isMomo && settings.country === 'GH' && { verifyAccount }),
    balances: () => messages.get('/balance', (answer) => balancesOf(settings, answer)),
    readReport: (received) => readReport(settings, received),
    close: () => peer.close(),
  }
}

function balancesOf(settings: PaystackSettings, answer: PaystackAnswer): RailBalance[] | UnknownOutcome {
  if (!answer.isOk || !Array.isArray(answer.data)) return unclear(answer)
  const balances = answer.data.map(fieldsOf).map(({ currency, balance }) => {
    const money = moneyOf({ currency, amount: balance }, settings)
    return money && { name: 'balance', ...money }
  })
  return balances.every((each) => each !== undefined) ? balances : unclear(answer)
}
