import type { Agent } from 'undici'
import { toMajorUnits } from '../../../countries/money.ts'
import { unknown } from '../../answers.ts'
import type { Collection, Connector, Disbursement, Outcome } from '../../connector.ts'
import { findHolder } from './account-holder.ts'
import { outcomeOf, reportOf, submitted } from './answers.ts'
import { noteOf } from './documents.ts'
import { longestCallMs, type Message, openProduct, type Product } from './product.ts'
import { collectionFailures, disbursementFailures, inconclusive } from './reasons.ts'
import type { MtnMomoSettings } from './settings.ts'

/**
 * MTN MoMo Open API, products `collection` and, where there are credentials for it, `disbursement`. Our reference is
 * the request's `X-Reference-Id`: MTN does nothing twice under it, and answers by it what became of the request.
 *
 * @param peer the connections to this rail; closed with the connector
 */
export function createMtnMomo(settings: MtnMomoSettings, peer: Agent): Connector {
  const collection = openProduct(settings, 'collection', settings.collection, peer)
  const disbursement =
    settings.disbursement && openProduct(settings, 'disbursement', settings.disbursement, peer)
  return {
    longestCallMs: longestCallMs(settings),
    collect: (asked) =>
      collection.ask(requestToPay(settings, asked), (answer) => submitted(answer, collectionFailures)),
    queryCollection: (reference) =>
      collection.ask(query('/requesttopay', reference), (answer) => outcomeOf(settings, answer, notPaid)),
    ...(disbursement && paysOut(settings, disbursement)),
    verifyAccount: (account) => findHolder(disbursement ?? collection, msisdnOf(account)),
    close: () => peer.close(),
  }
}

const paysOut = (settings: MtnMomoSettings, disbursement: Product) =>
  ({
    disburse: (asked) =>
      disbursement.ask(transfer(settings, asked), (answer) => submitted(answer, disbursementFailures)),
    queryDisbursement: (reference) =>
      disbursement.ask(query('/transfer', reference), (answer) => outcomeOf(settings, answer, notPaidOut)),
    readReport: ({ fields = {} }) => reportOf(settings, fields),
  }) satisfies Partial<Connector>

const requestToPay = (settings: MtnMomoSettings, { orderNumber, payerAccount, ...asked }: Collection) =>
  moneyMessage(settings, '/requesttopay', asked, {
    externalId: orderNumber,
    payer: { partyIdType: 'MSISDN', partyId: msisdnOf(payerAccount ?? '') },
  })

const transfer = (settings: MtnMomoSettings, { payeeAccount, ...asked }: Disbursement) =>
  moneyMessage(settings, '/transfer', asked, {
    externalId: asked.reference,
    payee: { partyIdType: 'MSISDN', partyId: msisdnOf(payeeAccount) },
  })

type Asked = Pick<
  Collection & Disbursement,
  'reference' | 'amount' | 'currency' | 'description' | 'callbackUrl' | 'mayLeave'
>

function moneyMessage(
  { sandboxCurrency }: MtnMomoSettings,
  path: string,
  asked: Asked,
  party: object,
): Message {
  const currency = sandboxCurrency?.sent ?? asked.currency
  const note = noteOf(asked.description)
  return {
    method: 'POST',
    path,
    mayLeave: asked.mayLeave,
    headers: {
      'content-type': 'application/json',
      'x-reference-id': asked.reference,
      'x-callback-url': asked.callbackUrl,
    },
    body: JSON.stringify({
      amount: toMajorUnits(asked.amount, currency),
      currency,
      ...party,
      payerMessage: note,
      payeeNote: note,
    }),
  }
}

const query = (path: string, reference: string): Message => ({
  method: 'GET',
  path: `${path}/${encodeURIComponent(reference)}`,
})

const notPaid = (reason: string | undefined): Outcome => ({
  outcome: 'refused',
  ...collectionFailures.failureOf(reason),
})

const notPaidOut = (reason: string | undefined): Outcome =>
  inconclusive.includes(reason)
    ? unknown(`failed, ${reason}`)
    : { outcome: 'refused', ...disbursementFailures.failureOf(reason) }

/** MTN writes phone numbers without the plus. */
const msisdnOf = (account: string) => account.replace('+', '')
