import { findCountry, isSupportedCurrency, must } from '@pesewa/values'
import { publishEach } from '../../events/events.ts'
import { withEvents } from '../../events/new-rows.ts'
import {
  findMainAccounts,
  type MainAccountCache,
  openMainAccounts,
} from '../../ledger/accounts/main-accounts.ts'
import { answersOf, type Outcome, onlyAnswer, withAnswers } from '../../platform/batches.ts'
import type { Tx } from '../../platform/db/database.ts'
import { globalName, type Scoped } from '../../platform/db/scoped.ts'
import type { Claim, Claimant, OpenClaims } from '../../platform/http/commands/claims.ts'
import type { NewRows, NotSimple } from '../../platform/http/commands/new-rows.ts'
import type { WellFormed } from '../../platform/http/commands/route.ts'
import { scheduleEach } from '../../platform/jobs/queue.ts'
import { Issues } from '../../platform/refusals.ts'
import { codeEvent, expiryJob, type PaymentCodeParts } from './payment-codes.ts'
import { defaultMode, type NewPaymentCode } from './shapes.ts'
import { insertCodes, type PaymentCode } from './store.ts'
import {
  countryOf,
  currencyOf,
  expiryOf,
  findKnown,
  type Known,
  type KnownCaches,
  type Terms,
  validateCodeTerms,
} from './terms.ts'

/** `claimant` identifies the claim of the code's number. */
export type CodeRequest = Scoped<{ body: NewPaymentCode; at: Date; claimant: Claimant }>

/**
 * Creates codes whose numbers have been claimed by `claimNumbersFor`. The outcome of an invalid request contains all of its
 * issues.
 */
export async function createCodes(
  tx: Tx,
  parts: PaymentCodeParts,
  claims: OpenClaims,
  requests: CodeRequest[],
): Promise<Outcome<Scoped<PaymentCode>>[]> {
  const outcomes = validateEach(await findKnown(tx, requests), parts, requests)
  const sound = answersOf(outcomes)
  if (sound.length === 0) return withAnswers(outcomes, [])
  const mains = await openMainAccounts(tx, withoutAccount(sound))
  const codes = sound.map((one) => buildCode(one, mains, claims.find(one.claimant)))
  await tx.run(insertCodes(codes))
  scheduleEach(
    tx,
    codes.map((code) => expiryJob(code.scope, code)),
  )
  publishEach(
    tx,
    codes.map((code) => createdEvent(parts, code)),
  )
  return withAnswers(outcomes, codes)
}

export const createCode = async (
  tx: Tx,
  parts: PaymentCodeParts,
  claims: OpenClaims,
  request: CodeRequest,
): Promise<Scoped<PaymentCode>> => onlyAnswer(await createCodes(tx, parts, claims, [request]))

/** OpenClaims numbers for those of these requests that are valid. Their idempotency keys must be free. */
export async function claimNumbersFor(
  parts: PaymentCodeParts,
  claims: OpenClaims,
  requests: CodeRequest[],
): Promise<void> {
  const valid = answersOf(validateEach(await findKnown(parts.db, requests), parts, requests))
  await claims.claimEach(valid.map(({ claimant }) => claimant))
}

/**
 * Prepares the rows of codes, provided that all requests are valid and the accounts exist. Otherwise, returns the
 * requests to which this does not apply.
 */
export async function prepareCodes(
  parts: PaymentCodeParts,
  claims: OpenClaims,
  caches: KnownCaches & { mains: MainAccountCache },
  requests: CodeRequest[],
): Promise<NewRows | NotSimple> {
  const outcomes = validateEach(await findKnown(parts.db, requests, caches), parts, requests)
  const sound = answersOf(outcomes)
  const mains = await findMainAccounts(parts.db, caches.mains, withoutAccount(sound))
  const isSimple = (one: Outcome<ValidRequest>) =>
    'answer' in one &&
    (Boolean(one.answer.terms.financialAccountId) ||
      mains.has(globalName(one.answer.scope, one.answer.currency)))
  if (!outcomes.every(isSimple)) return { notSimple: outcomes.map((one) => !isSimple(one)) }
  const numbers = await claims.claimFirst(sound.map(({ claimant }) => claimant))
  const codes = sound.flatMap((one, i) => (numbers[i] ? [buildCode(one, mains, numbers[i])] : []))
  if (codes.length < sound.length) return { notSimple: numbers.map((number) => !number) }
  return withEvents(
    {
      inserts: [insertCodes(codes)],
      jobs: codes.map((code) => expiryJob(code.scope, code)),
    },
    codes.map((code) => createdEvent(parts, code)),
  )
}

type ValidRequest = CodeRequest & ReturnType<typeof validateCode>

/** Returns each request with its terms or, if the request is invalid, an error with its issues. */
const validateEach = (
  known: Known,
  parts: PaymentCodeParts,
  requests: CodeRequest[],
): Outcome<ValidRequest>[] =>
  requests.map((request) => {
    const issues = new Issues()
    const valid = validateCode(known, parts, request, issues)
    return issues.list.length > 0 ? { error: issues.refusal() } : { answer: { ...request, ...valid } }
  })

/**
 * Reads the currency and terms of a new code from the request, and adds any validation issues to
 * `issues`. If there are any issues, the result must not be used.
 */
export function validateCode(
  known: Known,
  parts: PaymentCodeParts,
  request: Scoped<{ body: WellFormed<NewPaymentCode>; at: Date }>,
  issues: Issues,
): { terms: Partial<Terms>; currency: string } {
  const currency = chooseCodeCurrency(known, request)
  const mode = issues.hasIssue('mode') ? undefined : (request.body.mode ?? defaultMode)
  return { terms: validateCodeTerms(known, parts, { mode, currency }, request, issues), currency }
}

/**
 * Returns the currency of the amount, the target's total or the account, in this order of preference, or the
 * currency of the Space's country if the request contains none of them.
 */
function chooseCodeCurrency(
  known: Known,
  { scope, body }: Scoped<{ body: WellFormed<NewPaymentCode> }>,
): string {
  const named = [body.amount, body.recurrentPaymentTarget?.expectedPaymentTotal]
  const currency = named.map((money) => money?.currency).find((one) => one && isSupportedCurrency(one))
  if (currency) return currency
  const shown = body.financialAccountId
  const ofAccount = shown === undefined ? undefined : currencyOf(known, scope, shown)
  return ofAccount ?? must(findCountry(countryOf(known, scope)), 'country of a Space').currency.code
}

/** Returns the requests without an account, whose codes use the main account. */
const withoutAccount = (sound: ValidRequest[]) => sound.filter(({ terms }) => !terms.financialAccountId)

/** Builds a code with its number, without writing it. `mains` contains the main accounts. */
function buildCode(
  { scope, body, terms, currency, claimant: { idempotencyKey }, at }: ValidRequest,
  mains: Map<string, string>,
  { id, text: number }: Claim,
): Scoped<PaymentCode> {
  return {
    scope,
    id,
    number,
    mode: body.mode ?? defaultMode,
    status: 'pending',
    name: body.name,
    amount: null,
    currency,
    enabled: true,
    customerName: null,
    reference: null,
    authorizedProviders: null,
    authorizedPhoneNumber: null,
    expectedCount: null,
    expectedTotal: null,
    paidCount: 0,
    paidTotal: 0n,
    failedCount: 0,
    processed: null,
    metadata: {},
    idempotencyKey,
    checkoutSessionId: null,
    expiresAt: expiryOf(null, at),
    createdAt: at,
    updatedAt: at,
    ...terms,
    financialAccountId:
      terms.financialAccountId ?? must(mains.get(globalName(scope, currency)), 'main account of a currency'),
  }
}

const createdEvent = ({ settings }: PaymentCodeParts, code: Scoped<PaymentCode>) =>
  codeEvent(settings, code.scope, code, ['created'])
