import { randomUUID } from 'node:crypto'
import {
  type AccountHolder,
  type Connector,
  type Failures,
  type Fence,
  foreignPage,
  guidanceOf,
  holderNameOf,
  type MovedMoney,
  type OutboundAnswer,
  openClient,
  pageOf,
  parseFields,
  type RailOutcome,
  type SubmitOutcome,
  transactionOf,
  unknown,
} from '@pesewa/connector-kit'
import { type Fields, fieldsOf, isCurrency, wholeNumber } from '@pesewa/values'
import type { Agent } from 'undici'
import { collectionFailures, refundFailures } from './codes.ts'
import type { RailSettings, RestSettings } from './settings.ts'

/** Returns the path for one of our references or for an account number. */
export const pathOf = (what: string, id: string) => `/${what}/${encodeURIComponent(id)}`

/**
 * Opens the rail's API.
 *
 * @param peer the sockets to this rail
 */
export function openRail(settings: RailSettings, peer: Agent) {
  const { baseUrl, key, timeoutMs } = settings
  const headers = () => ({ authorization: `Bearer ${key}` })
  const { call } = openClient(peer, { baseUrl, timeoutMs, headers })
  const get = <T>(path: string, read: (response: OutboundAnswer) => T) => call({ method: 'GET', path }, read)
  const query = (
    what: string,
    reference: string,
    failures: Failures,
    done: (fields: Fields) => RailOutcome,
  ) =>
    get(pathOf(what, reference), (response) =>
      isAboutAnother(response, reference)
        ? unknown('the response is for another reference')
        : outcomeOf(settings, response, failures, done),
    )
  return {
    get,
    submit: (path: string, body: object, mayLeave: Fence, failures: Failures) =>
      call({ method: 'PUT', path, body, mayLeave }, (response) => submitted(settings, response, failures)),
    query,
    /** Queries a reference that no rail can know. */
    missing: (what: string) => query(what, randomUUID(), collectionFailures, moneyMoved),
  }
}

/**
 * Refunds all or part of a collection to the payer. The request does not contain the payer's account, because
 * the rail knows who paid.
 */
export const withRefunds = (rail: ReturnType<typeof openRail>, moved: (fields: Fields) => RailOutcome) =>
  ({
    refund: ({ reference, amount, original, mayLeave, ...order }) => {
      const body = { amount: wholeNumber(amount), originalReference: original.reference, ...order }
      return rail.submit(pathOf('refunds', reference), body, mayLeave, refundFailures)
    },
    queryRefund: ({ reference }) => rail.query('refunds', reference, refundFailures, moved),
  }) satisfies Partial<Connector>

/**
 * Returns whether the response is about a request other than ours. Our reference is part of the URL; if the
 * response also contains a reference, it must be ours.
 */
function isAboutAnother({ body }: OutboundAnswer, reference: string): boolean {
  const { reference: named = reference } = fieldsOf(parseFields(body))
  return named !== reference
}

/** Reads the response to a submit. Only a 4xx response with a known code proves that nothing was started. */
function submitted(settings: RailSettings, response: OutboundAnswer, failures: Failures): SubmitOutcome {
  const fields = parseFields(response.body) ?? {}
  if (response.status === 202 && fields.status === 'pending') return accepted(settings, fields)
  const failure =
    response.status >= 400 && response.status < 500 ? failures.refusalOf(fields.code) : undefined
  return failure ? { outcome: 'refused', ...failure } : unknown(shown(response, fields))
}

function accepted(settings: RailSettings, fields: Fields): SubmitOutcome {
  const next = nextStepOf(settings, fields)
  const providerReference = transactionOf(fields.providerReference)
  return next
    ? { outcome: 'accepted', ...next, ...(providerReference && { providerReference }) }
    : foreignPage
}

/** Returns the payer's next step, or `undefined` if that step is a page on another origin. */
function nextStepOf(settings: RailSettings, { redirectUrl, instructions }: Fields) {
  const guidance = guidanceOf(instructions)
  const page = redirectUrl === undefined ? undefined : pageOf(settings.pageOrigin, redirectUrl)
  if (redirectUrl !== undefined && !page) return undefined
  return { ...(page && { redirectUrl: page }), ...(guidance && { guidance }) }
}

function outcomeOf(
  settings: RailSettings,
  response: OutboundAnswer,
  failures: Failures,
  done: (fields: Fields) => RailOutcome,
): RailOutcome {
  const fields = parseFields(response.body) ?? {}
  if (response.status === 404 && fields.code === 'not_found') return { outcome: 'missing' }
  if (response.status === 202 && fields.status === 'asked') return { outcome: 'asked' }
  if (response.status !== 200) return unknown(shown(response, fields))
  if (fields.status === 'pending') return pending(settings, fields)
  if (fields.status === 'done') return done(fields)
  if (fields.status === 'failed') return { outcome: 'refused', ...failures.failureOf(fields.code) }
  return unknown('the response has an unknown status')
}

function pending(settings: RailSettings, fields: Fields): RailOutcome {
  const next = nextStepOf(settings, fields)
  return next ? { outcome: 'pending', ...next } : foreignPage
}

/**
 * Reads the amount that was moved, in minor units. A number that a double cannot represent exactly is invalid.
 * The amount may be omitted only if the connection allows it; an amount that the rail does report is always
 * used.
 */
export function moneyMoved(
  { amount, currency, transactionId }: Fields,
  { statesAmounts = true }: Pick<RestSettings, 'statesAmounts'> = {},
): RailOutcome {
  const railTransaction = transactionOf(transactionId)
  if (!statesAmounts && amount === undefined && currency === undefined)
    return { outcome: 'done', amount, currency, isAmountUnstated: true, railTransaction }
  const money = statedMoney({ amount, currency })
  return money
    ? { outcome: 'done', ...money, railTransaction }
    : unknown('the response has no readable amount')
}

/**
 * Reads an amount, which must not be negative, and a currency, which must exist. Anything else could not be
 * stored, not even in a case for an operator.
 */
function statedMoney({ amount, currency }: Fields): MovedMoney | undefined {
  if (typeof amount !== 'number' || !Number.isSafeInteger(amount) || amount < 0) return undefined
  return typeof currency === 'string' && isCurrency(currency)
    ? { amount: BigInt(amount), currency }
    : undefined
}

/**
 * Reads the response to an account look-up. Only a 404 response with the code `account_missing` means that the
 * account does not exist.
 */
export function holderOf(response: OutboundAnswer): AccountHolder {
  const fields = parseFields(response.body) ?? {}
  if (response.status === 404 && fields.code === 'account_missing') return { outcome: 'missing' }
  if (response.status !== 200) return unknown(shown(response, fields))
  const holderName = holderNameOf(fields.holderName)
  if (holderName === undefined || typeof fields.active !== 'boolean')
    return unknown('the response has no readable account holder')
  return { outcome: 'found', holderName, isActive: fields.active }
}

/** Returns the status and code of a response, for the log. Nothing else from a rail is logged. */
function shown({ status }: OutboundAnswer, { code }: Fields): string {
  return typeof code === 'string' && /^[a-z_]{2,64}$/.test(code) ? `${status} ${code}` : String(status)
}
