import type { Agent } from 'undici'
import { toMajorUnits } from '../../countries/money.ts'
import { NoAnswer, type OutboundAnswer, type OutboundRequest, send } from '../../platform/outbound.ts'
import { fieldsOf, transactionOf, unknown } from '../answers.ts'
import type { Collection, Connector, Outcome, Submitted } from '../connector.ts'
import { noteOf, readAmount, reasonOf, shownReason } from './documents.ts'
import { failureOf, refusalOf } from './reasons.ts'
import type { MtnMomoSettings } from './settings.ts'
import { createTokens, NoToken } from './token.ts'

/**
 * MTN MoMo Open API, product `collection`. Our reference is the request's `X-Reference-Id`: MTN does nothing twice
 * under it, and answers by it what became of the request.
 *
 * @param peer the connections to this rail; closed with the connector
 */
export function createMtnMomo(settings: MtnMomoSettings, peer: Agent): Connector {
  const call = caller(settings, peer)
  return {
    collect: async (collection) => known(call(requestToPay(settings, collection)), submitted),
    queryCollection: async (reference) =>
      known(call({ method: 'GET', path: `/${encodeURIComponent(reference)}` }), (answer) =>
        outcomeOf(settings, answer),
      ),
    close: () => peer.close(),
  }
}

type Message = Pick<OutboundRequest, 'method' | 'body' | 'headers'> & { path: string }

/** Sends with a token, and once more with a new one when the rail no longer takes it: a 401 did nothing. */
function caller(settings: MtnMomoSettings, peer: Agent): (message: Message) => Promise<OutboundAnswer> {
  const tokens = createTokens(settings, peer)
  const sendWith = (token: string, { path, ...message }: Message) =>
    send(peer, {
      ...message,
      url: `${settings.baseUrl}/collection/v1_0/requesttopay${path}`,
      headers: {
        ...message.headers,
        authorization: `Bearer ${token}`,
        'ocp-apim-subscription-key': settings.collection.subscriptionKey,
        'x-target-environment': settings.targetEnvironment,
      },
      timeoutMs: settings.timeoutMs,
    })
  return async (message) => {
    const token = await tokens.current()
    const answer = await sendWith(token, message)
    if (answer.status !== 401) return answer
    tokens.forget(token)
    return sendWith(await tokens.current(), message)
  }
}

/** Reads an answer; where there is none, nobody knows what the rail did. */
async function known<T>(answer: Promise<OutboundAnswer>, read: (answer: OutboundAnswer) => T) {
  try {
    return read(await answer)
  } catch (error) {
    if (error instanceof NoToken) return unknown(`not sent, there is no token: ${error.message}`)
    if (error instanceof NoAnswer) return unknown(error.message)
    throw error
  }
}

function requestToPay({ sandboxCurrency }: MtnMomoSettings, collection: Collection): Message {
  const currency = sandboxCurrency?.sent ?? collection.currency
  const note = noteOf(collection.description)
  return {
    method: 'POST',
    path: '',
    headers: {
      'content-type': 'application/json',
      'x-reference-id': collection.reference,
      'x-callback-url': collection.callbackUrl,
    },
    body: JSON.stringify({
      amount: toMajorUnits(collection.amount, currency),
      currency,
      externalId: collection.orderNumber,
      payer: { partyIdType: 'MSISDN', partyId: (collection.payerAccount ?? '').replace('+', '') },
      payerMessage: note,
      payeeNote: note,
    }),
  }
}

/** Only a 400 or 404 with a reason we know proves that nothing was begun; a 5xx may follow after anything. */
function submitted(answer: OutboundAnswer): Submitted {
  const reason = reasonOf(fieldsOf(answer.body))
  if (answer.status === 202) return { outcome: 'accepted' }
  if (answer.status === 409 && reason === 'RESOURCE_ALREADY_EXIST') return { outcome: 'accepted' }
  const failure = answer.status === 400 || answer.status === 404 ? refusalOf(reason) : undefined
  return failure ? { outcome: 'refused', ...failure } : unknown(shownReason(answer))
}

function outcomeOf(settings: MtnMomoSettings, answer: OutboundAnswer): Outcome {
  const fields = fieldsOf(answer.body)
  if (answer.status === 404 && reasonOf(fields) === 'RESOURCE_NOT_FOUND') return { outcome: 'missing' }
  if (answer.status !== 200 || !fields) return unknown(shownReason(answer))
  switch (fields.status) {
    case 'PENDING':
      return { outcome: 'pending' }
    case 'SUCCESSFUL':
      return moneyMoved(settings, fields)
    case 'FAILED':
      return { outcome: 'refused', ...failureOf(reasonOf(fields.reason)) }
    default:
      return unknown('the answer has no status that we know')
  }
}

function moneyMoved({ sandboxCurrency }: MtnMomoSettings, fields: Record<string, unknown>): Outcome {
  const told = fields.currency
  const amount = typeof told === 'string' ? readAmount(fields.amount, told) : undefined
  if (typeof told !== 'string' || amount === undefined)
    return unknown('the answer has no amount that can be read')
  const currency = told === sandboxCurrency?.sent ? sandboxCurrency.currency : told
  return {
    outcome: 'done',
    amount,
    currency,
    railTransaction: transactionOf(fields.financialTransactionId),
  }
}
