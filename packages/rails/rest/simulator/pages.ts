import { readFileSync } from 'node:fs'
import {
  type ChosenCard,
  failure,
  type PlannedOutcome,
  pathParams,
  planFor,
  type RailRoute,
  type SimulatorParts,
  type StoredCollection,
} from '@pesewa/connector-kit/simulator'
import { fieldsOf, formatMoney } from '@pesewa/values'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RestVariant, TestCard } from './variant.ts'

const template = readFileSync(new URL('page.eta', import.meta.url), 'utf8')

type PageVariant = Pick<RestVariant, 'protocol' | 'who' | 'cards'>

/** Routes for the pages of a simulated rail, on which payers approve, decline or cancel. */
export const railPageRoutes = (parts: SimulatorParts, variant: PageVariant): RailRoute[] => {
  const url = `/simulator/${variant.protocol}/:providerId/pages/:reference`
  const find = (request: FastifyRequest) => findPage(parts, variant, request)
  return [
    {
      kind: 'raw',
      method: 'GET',
      url,
      summary: `Page of a simulated ${variant.who}`,
      handle: async (request, reply) => {
        const page = await find(request)
        return show(parts, page, reply, page.cards.length > 0 ? 'choose' : 'login')
      },
    },
    {
      kind: 'raw',
      method: 'POST',
      url,
      summary: `Answer on the page of a simulated ${variant.who}`,
      admit: async (request) => void (await find(request)),
      handle: async (request, reply) => answer(parts, await find(request), request, reply),
    },
  ]
}

type Page = StoredCollection & { returnUrl: string; cards: readonly TestCard[] }

async function findPage(
  { store, refusePage }: SimulatorParts,
  { protocol, cards }: PageVariant,
  request: FastifyRequest,
): Promise<Page> {
  const { providerId = '', reference = '' } = pathParams(request)
  const isReference = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(reference)
  const collection = isReference ? await store.findCollection({ providerId, reference }) : undefined
  if (!collection?.returnUrl || collection.protocol !== protocol) return refusePage('not_found')
  return { ...collection, returnUrl: collection.returnUrl, cards }
}

/** Outcomes of a card payment, by the last digits of the card. */
const refusals = [
  ['001', 'Insufficient funds'],
  ['002', 'Declined by the bank'],
  ['009', 'Card blocked'],
  ['010', 'No such account'],
  ['011', 'Limit exceeded'],
] as const
const oddities = [
  ['003', 'No answer'],
  ['004', 'Approved, reported after 30 s'],
  ['005', 'Approved, reported three times'],
  ['006', 'Approved, never reported'],
  ['012', 'Reported as failed, paid later'],
] as const
const endings: readonly string[] = [...refusals, ...oddities].map(([digits]) => digits)

async function answer(parts: SimulatorParts, page: Page, request: FastifyRequest, reply: FastifyReply) {
  const form = formOf(request.body)
  if (form.answer === 'login') return show(parts, page, reply, 'choose')
  const card = page.cards.find(({ scheme }) => scheme === form.card) ?? page.cards[0]
  const ending = card ? (endings.find((digits) => digits === form.ending) ?? '') : page.payer
  const challenge = { card: card?.scheme, ending }
  if (form.answer === 'challenge' && card) return show(parts, page, reply, 'challenge', challenge)
  if (form.answer === 'confirm' && !/^[0-9]{6}$/.test(String(form.code)))
    return show(parts, page, reply, 'challenge', { ...challenge, isWrong: true })
  const outcomes = outcomesOf(parts, form, ending)
  if (!outcomes) return parts.refusePage('arguments_invalid')
  await end(parts, page, outcomes, card && { ...card, token: tokenOf(parts, card.scheme) })
  return reply.headers({ 'cache-control': 'no-store' }).redirect(page.returnUrl, 303)
}

/**
 * Returns the fields of the posted form. The value of a card's button contains all of them, as in
 * `visa:approve:001`.
 */
function formOf(body: unknown): Record<string, unknown> {
  const form = fieldsOf(body)
  if (typeof form.pay !== 'string') return form
  const [card, answer, ending] = form.pay.split(':', 3)
  return { card, answer, ending }
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

/** Ends the payment. A second answer changes nothing, but still redirects the payer. */
async function end(
  { store, clock, wakeAt }: SimulatorParts,
  page: Page,
  outcomes: PlannedOutcome[],
  card?: ChosenCard,
): Promise<void> {
  const now = clock.now()
  const answered = await store.answer(page.reference, now, outcomes, card)
  if (!answered) return
  for (const { afterMs } of outcomes) wakeAt(new Date(now.getTime() + afterMs))
}

const tokenOf = ({ seals }: SimulatorParts, scheme: string) =>
  `crd_${seals.tag('simulator', `card ${scheme}`)}`

function show(
  { catalogue, clock, sendPage }: SimulatorParts,
  page: Page,
  reply: FastifyReply,
  stage: 'login' | 'choose' | 'challenge',
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
    order: page.externalId,
    refusals,
    oddities,
    ...more,
  }
  // There is no form-action, because the return URL may redirect to any shop.
  return sendPage(reply, template, view, (nonce) => [`style-src 'nonce-${nonce}'`, 'img-src data:'])
}
