import { must } from '@pesewa/values'
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
import type { NewRows, NotSimple } from '../../platform/http/commands/new-rows.ts'
import { newId } from '../../platform/ids.ts'
import { scheduleEach } from '../../platform/jobs/queue.ts'
import { Issues } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import { currenciesNamed } from '../checkout/session-request.ts'
import { claimingAddresses } from './address-store.ts'
import { deriveAddress, newAddresses } from './addresses.ts'
import { expiriesOf, linkEvent, type PaymentLinkParts } from './payment-links.ts'
import type { NewPaymentLink } from './shapes.ts'
import { insertLinks, type PaymentLink } from './store.ts'
import { mainsNeeded, statusOf, termsOf, validateTerms } from './terms.ts'

export type LinkRequest = Scoped<{ body: NewPaymentLink; idempotencyKey: string; at: Date }>

/** Creates links. The outcome of an invalid request contains all of its issues. */
export async function createLinks(
  tx: Tx,
  parts: PaymentLinkParts,
  requests: LinkRequest[],
): Promise<Outcome<Scoped<PaymentLink>>[]> {
  const outcomes = await validateEach(tx, parts, requests)
  const sound = answersOf(outcomes)
  if (sound.length === 0) return withAnswers(outcomes, [])
  const mains = await openMainAccounts(tx, mainsNeeded(sound))
  const built = sound.map((request) => buildLink(parts, request, mains))
  const addresses = await newAddresses(tx, parts.seals, built)
  const links = built.map((link) => ({ ...link, address: must(addresses.get(link.id), 'address of a link') }))
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
  scope: Scope,
  body: NewPaymentLink,
  by: { idempotencyKey: string; at: Date },
) => onlyAnswer(await createLinks(tx, parts, [{ scope, body, ...by }]))

/**
 * Prepares the rows of links, provided that all requests are valid and the accounts exist. Otherwise, returns the
 * requests to which this does not apply.
 */
export async function prepareLinks(
  parts: PaymentLinkParts,
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
  const links = sound.map((request) => buildLink(parts, request, mains))
  return withEvents(
    { inserts: [claimingAddresses(links), insertLinks(links)], jobs: expiriesOf(links) },
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

/** Builds a link without writing it. Its address may already be taken. */
const buildLink = (
  { seals }: PaymentLinkParts,
  request: LinkRequest,
  mains: Map<string, string>,
): Scoped<PaymentLink & { address: string; idempotencyKey: string }> => ({
  ...termsOf(request, mains),
  scope: request.scope,
  id: newId(request.at),
  address: deriveAddress(seals, request),
  status: statusOf(request.body),
  paidCount: 0,
  paidTotal: 0n,
  reservedCount: 0,
  idempotencyKey: request.idempotencyKey,
  createdAt: request.at,
  updatedAt: request.at,
})
