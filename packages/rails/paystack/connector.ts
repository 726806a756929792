import type { Connector, ProbeStep, RailBalance, UnknownOutcome } from '@pesewa/connector-kit'
import { fieldsOf } from '@pesewa/values'
import type { Agent } from 'undici'
import { payeesOf, probeBankCode } from './banks.ts'
import { openCharges } from './charges.ts'
import { moneyOf, openMessages, type PaystackAnswer, unclear } from './messages.ts'
import { openRefunds } from './refunds.ts'
import { readReport } from './report.ts'
import type { PaystackSettings } from './settings.ts'
import { openTransfers } from './transfers.ts'

/**
 * Creates the connector for Paystack's API. Our reference is the reference of the charge or transfer. For
 * refunds, it is stored in the note to the merchant.
 *
 * @param peer the sockets to Paystack; closed with the connector
 */
export function createPaystack(settings: PaystackSettings, peer: Agent): Connector {
  const messages = openMessages(settings, peer)
  const { submitCode, ...charges } = openCharges(settings, messages)
  const payees = payeesOf(settings)
  const { verifyAccount, ...transfers } = payees ? openTransfers(settings, payees, messages) : {}
  const { type, country, currency } = settings
  return {
    ...(settings.type === 'card' && { pageOrigin: settings.pageOrigin }),
    // A call may consist of two messages: before a payout, its recipient is created; before a refund, the
    // existing refunds are listed.
    longestCallMs: 2 * settings.timeoutMs,
    preparationMs: settings.timeoutMs,
    firstQueryMs: 10_000,
    missingAfterMs: settings.missingAfterMs,
    ...charges,
    ...transfers,
    ...(type === 'momo' && { submitCode }),
    ...openRefunds(settings, messages),
    // Paystack cannot look up names in other countries.
    ...(verifyAccount && ['GH', 'NG'].includes(country) && { verifyAccount }),
    probe: async () => [
      await messages.get('/balance', probeBalance).then(knownOr),
      ...(payees ? [await probeBankCode(messages, payees, currency)] : []),
    ],
    balances: () => messages.get('/balance', (answer) => balancesOf(settings, answer)),
    readReport: (received) => readReport(settings, received),
    close: () => peer.close(),
  }
}

const balanceStep = 'the secret key, by reading our balance'

const probeBalance = (answer: PaystackAnswer): ProbeStep =>
  answer.isOk
    ? { step: balanceStep, outcome: 'ok', detail: 'Paystack accepts it' }
    : { step: balanceStep, outcome: answer.status < 500 ? 'failed' : 'unknown', detail: unclear(answer).why }

const knownOr = (step: ProbeStep | UnknownOutcome): ProbeStep =>
  'step' in step ? step : { step: balanceStep, outcome: 'unknown', detail: step.why }

function balancesOf(settings: PaystackSettings, answer: PaystackAnswer): RailBalance[] | UnknownOutcome {
  if (!answer.isOk || !Array.isArray(answer.data)) return unclear(answer)
  const balances = answer.data.map(fieldsOf).map(({ currency, balance }) => {
    const money = moneyOf({ currency, amount: balance }, settings)
    return money && { name: 'balance', ...money }
  })
  return balances.every((each) => each !== undefined) ? balances : unclear(answer)
}
