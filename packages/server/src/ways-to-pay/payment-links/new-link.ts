import { publishEach } from '../../events/events.ts'
import { withEvents } from '../../events/new-rows.ts'
import {
  findMainAccounts,
  type MainAccountCache,
  openMainAccounts,
} from '../../ledger/accounts/main-accounts.ts'
import { answersOf, type Outcome, onlyAnswer, withAnswers } from '../../platform/batches.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { globalName, type Scoped } from '../../platform/db/scoped.ts'
import type { Claim, Claimant, OpenClaims } from '../../platform/http/commands/claims.ts'
import type { NewRows, NotSimple } from '../../platform/http/commands/new-rows.ts'
import { scheduleEach } from '../../platform/jobs/queue.ts'
import { Issues } from '../../platform/refusals.ts'
import { currenciesNamed } from '../checkout/session-request.ts'
import { expiriesOf, linkEvent, type PaymentLinkParts } from './payment-links.ts'
import type { NewPaymentLink } from './shapes.ts'
import { insertLinks, type PaymentLink } from './store.ts'
import { mainsNeeded, statusOf, termsOf, validateTerms } from './terms.ts'

/** `claimant` identifies the claim of the link's address. */
export type LinkRequest = Scoped<{ body: NewPaymentLink; at: Date; claimant: Claimant }>

/** Creates links whose addresses have been claimed by `claimAddressesFor`. The outcome of an invalid request contains all of its issues. */
export async function createLinks(
  tx: Tx,
  parts: PaymentLinkParts,
  claims: OpenClaims,
  requests: LinkRequest[],
): Promise<Outcome<Scoped<PaymentLink>>[]> {
  const outcomes = await validateEach(tx, parts, requests)
  const sound = answersOf(outcomes)
  if (sound.length === 0) return withAnswers(outcomes, [])
  const mains = await openMainAccounts(tx, mainsNeeded(sound))
  const links = sound.map((request) => buildLink(request, mains, claims.find(request.claimant)))
  await tx.run(insertLinks(links))
  scheduleEach(tx, expiriesOf(links))
  publishEach(
    tx,
    links.map((link) => linkEvent(parts, link.scope, link, 'created')),
  )
  return withAnswers(outcomes, links)
}

export const createLink = async (
  tx: Tx,
  parts: PaymentLinkParts,
  claims: OpenClaims,
  request: LinkRequest,
): Promise<Scoped<PaymentLink>> => onlyAnswer(await createLinks(tx, parts, claims, [request]))

/** OpenClaims addresses for those of these requests that are valid. Their idempotency keys must be free. */
export async function claimAddressesFor(
  parts: PaymentLinkParts,
  claims: OpenClaims,
  requests: LinkRequest[],
): Promise<void> {
  const valid = answersOf(await validateEach(parts.db, parts, requests))
  await claims.claimEach(valid.map(({ claimant }) => claimant))
}

/**
 * Prepares the rows of links, provided that all requests are valid and the accounts exist. Otherwise, returns the
 * requests to which this does not apply.
 */
export async function prepareLinks(
  parts: PaymentLinkParts,
  claims: OpenClaims,
  cache: MainAccountCache,
  requests: LinkRequest[],
): Promise<NewRows | NotSimple> {
  const outcomes = await validateEach(parts.db, parts, requests)
  const sound = answersOf(outcomes)
  const mains = await findMainAccounts(parts.db, cache, mainsNeeded(sound))
  const isSimple = (one: Outcome<LinkRequest>) =>
    'answer' in one &&
    mainsNeeded([one.answer]).every(({ scope, currency }) => mains.has(globalName(scope, currency)))
  if (!outcomes.every(isSimple)) return { notSimple: outcomes.map((one) => !isSimple(one)) }
  const addresses = await claims.claimFirst(sound.map(({ claimant }) => claimant))
  const links = sound.flatMap((request, i) => (addresses[i] ? [buildLink(request, mains, addresses[i])] : []))
  if (links.length < sound.length) return { notSimple: addresses.map((address) => !address) }
  return withEvents(
    { inserts: [insertLinks(links)], jobs: expiriesOf(links) },
    links.map((link) => linkEvent(parts, link.scope, link, 'created')),
  )
}

/** Returns each request or, if it is invalid, an error with its issues. */
async function validateEach(
  db: Reader,
  parts: PaymentLinkParts,
  requests: LinkRequest[],
): Promise<Outcome<LinkRequest>[]> {
  const currencies = await currenciesNamed(db, requests)
  return requests.map((request) => {
    const issues = new Issues()
    validateTerms(parts, request, currencies, issues)
    return issues.list.length > 0 ? { error: issues.refusal() } : { answer: request }
  })
}

/** Builds a link with its address, without writing it. */
const buildLink = (
  request: LinkRequest,
  mains: Map<string, string>,
  { id, text: address }: Claim,
): Scoped<PaymentLink & { address: string; idempotencyKey: string }> => ({
  ...termsOf(request, mains),
  scope: request.scope,
  id,
  address,
  status: statusOf(request.body),
  paidCount: 0,
  paidTotal: 0n,
  reservedCount: 0,
  idempotencyKey: request.claimant.idempotencyKey,
  createdAt: request.at,
  updatedAt: request.at,
})
