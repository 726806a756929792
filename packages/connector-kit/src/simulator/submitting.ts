import {
  failure,
  type Plan,
  pageLifeMs,
  planFor,
  planForPage,
  planForPayee,
  planForRefund,
} from './behaviour.ts'
import type { SimulatorParts } from './parts.ts'
import type { CollectionRequest, DisbursementRequest, NewRequest, RequestKind } from './requests.ts'

/**
 * The result of submitting a request to a rail. `again` means that the rail did nothing, because the reference
 * had already been used.
 */
export type SubmitResult = 'accepted' | 'again'

/** Thrown if the rail accepted a request, but the response is lost. */
export class LostResponse extends Error {}

/** Thrown if the rail did not accept a request because of an error of its own. */
class RailBreakdown extends Error {
  readonly status = 500
}

/**
 * Submits a collection. If it has a page, the payer decides on that page. Otherwise, the outcome depends on the
 * handset's mode and the payer's number.
 *
 * @throws LostResponse, RailBreakdown, as planned for the payer's number; `showRailError` handles both
 */
export async function submitCollection(
  parts: SimulatorParts,
  request: CollectionRequest,
): Promise<SubmitResult> {
  const { payer, returnUrl } = request
  const plan = returnUrl === null ? await planForPhone(parts, payer) : planForPage(payer, parts.delays)
  const at = parts.clock.now()
  const lifeMs = returnUrl === null ? parts.delays.promptLifeMs : pageLifeMs
  const asksUntil = plan.waitsForUser ? later(at, lifeMs) : null
  return submit(parts, 'collection', { request: { ...request, asksUntil }, at }, plan)
}

/** If a handset has this many open prompts, further ones fail. */
const maxPromptsOfPhone = 50 // maximum number of open prompts on one handset

async function planForPhone({ store, clock, delays }: SimulatorParts, payer: string): Promise<Plan> {
  const plan = planFor(payer, await store.modeOf(payer), delays)
  if (!plan.waitsForUser || (await store.countPrompts(payer, clock.now())) < maxPromptsOfPhone) return plan
  return { submit: 'accept', waitsForUser: false, outcomes: [failure(0, 'PAYER_LIMIT_REACHED')] }
}

/** Submits a payout. There is no prompt, and the outcome depends on the last digits of the payee's account. */
export const submitDisbursement = (
  parts: SimulatorParts,
  request: DisbursementRequest,
): Promise<SubmitResult> =>
  submit(parts, 'disbursement', { request, at: parts.clock.now() }, planForPayee(request.payee, parts.delays))

/**
 * Submits a refund to the original payer. Returns `undefined` if there is no successful collection to be
 * refunded.
 */
export async function submitRefund(
  parts: SimulatorParts,
  { refundOf, message, ...refund }: NewRefundRequest,
): Promise<SubmitResult | undefined> {
  const original = await parts.store.findCollection({ ...refund, reference: refundOf })
  if (original?.status !== 'SUCCESSFUL' || original.currency !== refund.currency) return undefined
  const request = { ...refund, refundOf, payee: original.payer }
  return submit(
    parts,
    'disbursement',
    { request, at: parts.clock.now() },
    planForRefund(message, parts.delays),
  )
}

/** A refund as requested. The outcome depends on `message`, which is the text to the payer. */
export type NewRefundRequest = Omit<DisbursementRequest, 'payee'> & { refundOf: string; message: string }

const texts = { externalId: '', payerMessage: '', payeeNote: '', callbackUrl: null }
const usual = { collection: texts, disbursement: { ...texts, refundOf: null } }

async function submit(
  { store, wakeAt }: SimulatorParts,
  kind: RequestKind,
  { request, at }: Pick<NewRequest, 'request' | 'at'>,
  plan: Plan,
): Promise<SubmitResult> {
  if (plan.submit === 'fail') throw new RailBreakdown()
  const stored = { ...usual[kind], ...request }
  if (!(await store.add(kind, { request: stored, at, outcomes: plan.outcomes }))) return 'again'
  for (const { afterMs } of plan.outcomes) wakeAt(later(at, afterMs))
  if (plan.submit === 'drop') throw new LostResponse()
  return 'accepted'
}

const later = (at: Date, ms: number) => new Date(at.getTime() + ms)
