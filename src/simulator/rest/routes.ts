import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RawRoute } from '../../platform/http/route.ts'
import type { Provider } from '../../providers/provider.ts'
import { type Plan, pageLifeMs, planForPage } from '../engine/behaviour.ts'
import type { RailParts } from '../engine/parts.ts'
import { planForPhone } from '../engine/phone-plan.ts'
import { type Asked, findCollection, type StoredCollection } from '../engine/store.ts'
import { type Protocol, railRoute } from './access.ts'
import { pendingOf, railDocumentOf } from './documents.ts'
import { RailError } from './error.ts'
import { readAsked, referenceOf } from './request.ts'
import { transferRoutes } from './transfers.ts'

/** The REST rail of banks and wallets, and the acquirer's variant of it, of every simulated provider. */
export const railRoutes = (parts: RailParts): RawRoute[] => [
  ...routesOf(parts, 'rest', 'collections'),
  ...routesOf(parts, 'acquirer', 'sessions'),
  ...transferRoutes(parts),
]

const routesOf = (parts: RailParts, protocol: Protocol, noun: string): RawRoute[] => [
  railRoute(parts, protocol, 'PUT', `${noun}/:reference`, 'ask a payer to pay', (provider, request, reply) =>
    collect(parts, provider, request, reply),
  ),
  railRoute(parts, protocol, 'GET', `${noun}/:reference`, 'query the outcome', (provider, request) =>
    answerQuery(parts, provider, request),
  ),
]

async function collect(parts: RailParts, provider: Provider, request: FastifyRequest, reply: FastifyReply) {
  const { take, clock, wakeAt } = parts
  const asked = readAsked(provider, request, parts.baseUrl)
  const plan = await planOf(parts, asked)
  if (plan.submit === 'fail') throw new RailError(500, 'internal_error')
  const at = clock.now()
  const later = (afterMs: number) => new Date(at.getTime() + afterMs)
  const asksUntil = plan.asks
    ? later(asked.returnUrl === null ? parts.delays.promptLifeMs : pageLifeMs)
    : null
  const added = await take('collection', { asked: { ...asked, asksUntil }, at, outcomes: plan.outcomes })
  if (!added) return answerAgain(parts, asked, reply)
  for (const { afterMs } of plan.outcomes) wakeAt(later(afterMs))
  if (plan.submit === 'accept') return accept(parts, asked, reply)
  reply.hijack()
  request.raw.socket.destroy()
}

const planOf = async (parts: RailParts, { payer, returnUrl }: Asked): Promise<Plan> =>
  returnUrl === null ? planForPhone(parts, payer) : planForPage(payer, parts.delays)

/** The same reference: the same answer when it is the same request, and a conflict when it is not. */
async function answerAgain(parts: RailParts, asked: Asked, reply: FastifyReply) {
  const had = await findCollection(parts.db, asked.providerId, asked.reference)
  const isSame = had?.payer === asked.payer && had.amount === asked.amount && had.currency === asked.currency
  if (!isSame) throw new RailError(409, 'reference_in_use')
  return accept(parts, had, reply)
}

const accept = (parts: RailParts, asked: Asked, reply: FastifyReply) =>
  reply.code(202).send(pendingOf(asked, pageUrl(parts, asked)))

async function answerQuery(parts: RailParts, provider: Provider, request: FastifyRequest): Promise<object> {
  const collection = await findCollection(parts.db, provider.providerId, referenceOf(request))
  if (!collection) throw new RailError(404, 'not_found')
  return railDocumentOf(collection, pageUrl(parts, collection))
}

/** The page of a collection, while it has one: who knows the reference may answer it. */
function pageUrl({ baseUrl }: RailParts, asked: Asked | StoredCollection): string | undefined {
  if (asked.returnUrl === null) return undefined
  return `${baseUrl}/simulator/${asked.protocol}/${asked.providerId}/pages/${asked.reference}`
}
