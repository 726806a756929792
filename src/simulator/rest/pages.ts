import type { FastifyReply, FastifyRequest } from 'fastify'
import { formatMoney } from '../../countries/money.ts'
import type { RawRoute } from '../../platform/http/route.ts'
import { Refusal } from '../../platform/refusals.ts'
import { failure, type PlannedOutcome, planFor } from '../engine/behaviour.ts'
import type { RailParts } from '../engine/parts.ts'
import { type ChosenCard, findCollection, replanPrompt, type StoredCollection } from '../engine/store.ts'
import { sendSimulatorPage } from '../page-answers.ts'

/** The pages of the simulated banks and of the acquirer, where a payer authorises, declines, or gives up. */
export const railPageRoutes = (parts: RailParts): RawRoute[] =>
  (['rest', 'acquirer'] as const).flatMap((protocol): RawRoute[] => {
    const url = `/simulator/${protocol}/:providerId/pages/:reference`
    return [
      {
        kind: 'raw',
        method: 'GET',
        url,
        summary: 'The page of a simulated bank or acquirer',
        handle: async (request, reply) => show(parts, await pageOf(parts, request), reply, 'choose'),
      },
      {
        kind: 'raw',
        method: 'POST',
        url,
        summary: 'A payer answers the page of a simulated bank or acquirer',
        admit: async (request) => void (await pageOf(parts, request)),
        handle: (request, reply) => answer(parts, request, reply),
      },
    ]
  })

type Page = StoredCollection & { returnUrl: string }

async function pageOf({ db }: RailParts, request: FastifyRequest): Promise<Page> {
  const { providerId, reference } = request.params as { providerId: string; reference: string }
  const isReference = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(reference)
  const found = isReference ? await findCollection(db, providerId, reference) : undefined
  if (!found?.returnUrl) throw new Refusal('not_found')
  return { ...found, returnUrl: found.returnUrl }
}

/** Payers choose a card and type no number: so there is none that could be kept. */
const cards = [
  { scheme: 'visa', name: 'Visa', last4: '4242' },
  { scheme: 'mastercard', name: 'Mastercard', last4: '4444' },
  { scheme: 'verve', name: 'Verve', last4: '5556' },
] as const

const endings = [
  ['', 'Approved'],
  ['001', 'Not enough money (001)'],
  ['002', 'Declined by the bank (002)'],
  ['003', 'No answer (003)'],
  ['004', 'Approved, reported after 30 s (004)'],
  ['005', 'Approved, called back three times (005)'],
  ['006', 'Approved, never called back (006)'],
  ['009', 'Card blocked (009)'],
  ['010', 'No such account (010)'],
  ['011', 'Over its limit (011)'],
  ['012', 'Reported as failed, paid later (012)'],
] as const

async function answer(parts: RailParts, request: FastifyRequest, reply: FastifyReply) {
  const page = await pageOf(parts, request)
  const form = (request.body ?? {}) as Record<string, unknown>
  const isCard = page.protocol === 'acquirer'
  const ending = isCard ? (endings.find(([digits]) => digits === form.ending)?.[0] ?? '') : page.payer
  const card = isCard ? (cards.find(({ scheme }) => scheme === form.card) ?? cards[0]) : undefined
  const challenge = { card: card?.scheme, ending }
  if (form.answer === 'challenge' && isCard) return show(parts, page, reply, 'challenge', challenge)
  if (form.answer === 'confirm' && !/^[0-9]{6}$/.test(String(form.code)))
    return show(parts, page, reply, 'challenge', { ...challenge, isWrong: true })
  const outcomes = outcomesOf(parts, form, ending)
  if (!outcomes) throw new Refusal('arguments_invalid')
  await end(parts, page, outcomes, card && { ...card, token: tokenOf(parts, card.scheme) })
  return reply.headers({ 'cache-control': 'no-store' }).redirect(page.returnUrl, 303)
}

function outcomesOf(
  { delays }: RailParts,
  form: Record<string, unknown>,
  ending: string,
): PlannedOutcome[] | undefined {
  switch (form.answer) {
    case 'approve':
      return planFor(ending, 'approve', delays).outcomes
    case 'confirm':
      return form.code === '000000'
        ? [failure(0, 'PAYMENT_NOT_APPROVED')]
        : planFor(ending, 'approve', delays).outcomes
    case 'decline':
      return [failure(0, 'APPROVAL_REJECTED')]
    case 'cancel':
      return [failure(0, 'TRANSACTION_CANCELED')]
    default:
      return undefined
  }
}

/** Who answers twice changes nothing, and goes back all the same. */
async function end(
  { db, clock, wakeAt }: RailParts,
  page: Page,
  outcomes: PlannedOutcome[],
  card?: ChosenCard,
): Promise<void> {
  const now = clock.now()
  const answered = await db.transaction((tx) => replanPrompt(tx, page.reference, now, outcomes, card))
  if (!answered) return
  for (const { afterMs } of outcomes) wakeAt(new Date(now.getTime() + afterMs))
}

const tokenOf = ({ seals }: RailParts, scheme: string) => `crd_${seals.tag('simulator', `card ${scheme}`)}`

function show(
  { catalogue, clock }: RailParts,
  page: Page,
  reply: FastifyReply,
  stage: 'choose' | 'challenge',
  more: { card?: string | undefined; ending?: string; isWrong?: boolean } = {},
) {
  const isOpen = page.asksUntil !== null && page.asksUntil > clock.now()
  const view = {
    provider: catalogue.find(page.providerId)?.name ?? page.providerId,
    message: page.payerMessage,
    amount: formatMoney({ currency: page.currency, value: page.amountMinor }),
    account: page.payer && `****${page.payer.slice(-2)}`,
    returnUrl: page.returnUrl,
    stage: isOpen ? stage : 'ended',
    cards: page.protocol === 'acquirer' ? cards : [],
    endings,
    ...more,
  }
  // No form-action: the way back may lead on to any shop.
  return sendSimulatorPage(reply, './page', view, (nonce) => [`style-src 'nonce-${nonce}'`])
}
