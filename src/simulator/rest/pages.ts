import type { FastifyReply, FastifyRequest } from 'fastify'
import { formatMoney } from '../../countries/money.ts'
import { fieldsOf } from '../../platform/fields.ts'
import { pathParams } from '../../platform/http/request.ts'
import type { RawRoute } from '../../platform/http/route.ts'
import { Refusal } from '../../platform/refusals.ts'
import { failure, type PlannedOutcome, planFor } from '../engine/behaviour.ts'
import {
  type ChosenCard,
  findCollection,
  replanPrompt,
  type StoredCollection,
} from '../engine/collection-store.ts'
import type { SimulatorParts } from '../engine/parts.ts'
import { sendSimulatorPage } from '../page-reply.ts'
import type { RestVariant, TestCard } from './variant.ts'

/** The pages of a simulated rail, where a payer authorises, declines, or gives up. */
export const railPageRoutes = (parts: SimulatorParts, variant: PagesOf): RawRoute[] => {
  const url = `/simulator/${variant.protocol}/:providerId/pages/:reference`
  const find = (request: FastifyRequest) => findPage(parts, variant, request)
  return [
    {
      kind: 'raw',
      method: 'GET',
      url,
      summary: `The page of a simulated ${variant.who}`,
      handle: async (request, reply) => show(parts, await find(request), reply, 'choose'),
    },
    {
      kind: 'raw',
      method: 'POST',
      url,
      summary: `A payer answers the page of a simulated ${variant.who}`,
      admit: async (request) => void (await find(request)),
      handle: async (request, reply) => answer(parts, await find(request), request, reply),
    },
  ]
}

type PagesOf = Pick<RestVariant, 'protocol' | 'who' | 'cards'>
type Page = StoredCollection & { returnUrl: string; cards: readonly TestCard[] }

async function findPage(
  { db }: SimulatorParts,
  { protocol, cards }: PagesOf,
  request: FastifyRequest,
): Promise<Page> {
  const { providerId = '', reference = '' } = pathParams(request)
  const isReference = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(reference)
  const collection = isReference ? await findCollection(db, { providerId, reference }) : undefined
  if (!collection?.returnUrl || collection.protocol !== protocol) throw new Refusal('not_found')
  return { ...collection, returnUrl: collection.returnUrl, cards }
}

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

async function answer(parts: SimulatorParts, page: Page, request: FastifyRequest, reply: FastifyReply) {
  const form = fieldsOf(request.body)
  const card = page.cards.find(({ scheme }) => scheme === form.card) ?? page.cards[0]
  const ending = card ? (endings.find(([digits]) => digits === form.ending)?.[0] ?? '') : page.payer
  const challenge = { card: card?.scheme, ending }
  if (form.answer === 'challenge' && card) return show(parts, page, reply, 'challenge', challenge)
  if (form.answer === 'confirm' && !/^[0-9]{6}$/.test(String(form.code)))
    return show(parts, page, reply, 'challenge', { ...challenge, isWrong: true })
  const outcomes = outcomesOf(parts, form, ending)
  if (!outcomes) throw new Refusal('arguments_invalid')
  await end(parts, page, outcomes, card && { ...card, token: tokenOf(parts, card.scheme) })
  return reply.headers({ 'cache-control': 'no-store' }).redirect(page.returnUrl, 303)
}

function outcomesOf(
  { delays }: SimulatorParts,
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

/** A second answer changes nothing, and leads back all the same. */
async function end(
  { db, clock, wakeAt }: SimulatorParts,
  page: Page,
  outcomes: PlannedOutcome[],
  card?: ChosenCard,
): Promise<void> {
  const now = clock.now()
  const answered = await db.transaction((tx) => replanPrompt(tx, page.reference, now, outcomes, card))
  if (!answered) return
  for (const { afterMs } of outcomes) wakeAt(new Date(now.getTime() + afterMs))
}

const tokenOf = ({ seals }: SimulatorParts, scheme: string) =>
  `crd_${seals.tag('simulator', `card ${scheme}`)}`

function show(
  { catalogue, clock }: SimulatorParts,
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
    cards: page.cards,
    endings,
    ...more,
  }
  // No form-action: the way back may lead on to any shop.
  return sendSimulatorPage(reply, './rest/page', view, (nonce) => [`style-src 'nonce-${nonce}'`])
}
