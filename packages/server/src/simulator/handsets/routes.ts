import type { Provider } from '@pesewa/connector-kit'
import type { RailMenu } from '@pesewa/connector-kit/simulator'
import { parsePhone } from '@pesewa/values/phones'
import type { FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { callerKey } from '../../platform/http/admission/caller.ts'
import type { RawRoute } from '../../platform/http/commands/route.ts'
import { Checker } from '../../platform/http/shapes/validation.ts'
import {
  createMemoryRateLimiter,
  type MemoryRateLimiter,
  perSecond,
} from '../../platform/limits/rate-limits.ts'
import { Issues, Refusal } from '../../platform/refusals.ts'
import type { SimulatorPlatform } from '../engine/parts.ts'
import type { Dialling } from './dialling.ts'
import { answerPrompt, readHandsets, setMode } from './handsets.ts'
import { handsetShapes as shapes } from './shapes.ts'

/** These limits are per IP address. A page polls twice a second, and many users may share an IP address. */
const stateLimit = { name: 'handset-look-limit', atMost: 60 } // requests for the state of handsets per IP address and second
const actionLimit = { name: 'handset-limit', atMost: 10 }

/**
 * Routes for the handset page. Anyone who knows a number can use its handset, since it is all play money.
 * Responses contain only the requested numbers.
 */
export function handsetRoutes(
  parts: SimulatorPlatform,
  dialling: Dialling,
  menuOf: (provider: Provider) => RailMenu | undefined,
): RawRoute[] {
  const limiter = parts.rateLimits === 'on' ? createMemoryRateLimiter() : undefined
  const route = <S extends TSchema>(
    path: string,
    summary: string,
    shape: S,
    handle: (body: Static<S>) => object | Promise<object>,
    limit = actionLimit,
  ): RawRoute => {
    const checker = new Checker(shape)
    return {
      kind: 'raw',
      method: 'POST',
      url: `/simulator/handsets/${path}`,
      summary: `Simulated phones: ${summary}`,
      admit: async (request) => {
        if (limiter) enforceLimit(limiter, limit, request, parts.clock.now())
      },
      handle: async (request, reply) => {
        // The checker has validated the type.
        const answer = await handle(readBody(checker, request) as Static<S>)
        return reply
          .headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
          .send(answer)
      },
    }
  }
  return [
    route('phones', 'parse a typed phone number', shapes.phone, (typed) => readPhone(parts, typed)),
    route(
      'state',
      'get prompts and messages',
      shapes.state,
      async ({ numbers }) => ({ time: parts.clock.now(), handsets: await readHandsets(parts, numbers) }),
      stateLimit,
    ),
    route('mode', 'set whether to approve automatically or ask', shapes.mode, async ({ number, mode }) => {
      await setMode(parts, number, mode)
      return { number, mode }
    }),
    route('answer', 'approve or decline a prompt', shapes.answer, async ({ number, reference, answer }) => {
      if (!(await answerPrompt(parts, number, reference, answer)))
        throw new Refusal('not_found', { message: 'This prompt is no longer open.' })
      return { reference, answer }
    }),
    route('dial', 'take a step in a USSD session', shapes.step, ({ providerId, ...step }) => {
      const provider = requireMomoProvider(parts, providerId)
      const { number, code, inputs = [] } = step
      const menu = menuOf(provider)
      // The network's own menus are not reached through the aggregator.
      if (menu?.code === code) return menu.answer(parts, provider, number, inputs)
      const { network } = provider
      return dialling.dial({ ...step, networkCode: network?.codes[0] ?? providerId })
    }),
  ]
}

function enforceLimit(
  limiter: MemoryRateLimiter,
  { name, atMost }: typeof actionLimit,
  { ip }: FastifyRequest,
  now: Date,
): void {
  if (limiter.take([perSecond(name, callerKey(ip), atMost)], now.getTime()))
    throw new Refusal('too_many_requests', { headers: { 'retry-after': '1' } })
}

const jsonType = /^application\/json\s*(;|$)/i

/**
 * Returns the body of a request, which must be JSON. Forms are refused, because any site can make a browser
 * post a form here.
 */
function readBody(checker: Checker, request: FastifyRequest): unknown {
  if (!jsonType.test(request.headers['content-type'] ?? '')) throw new Refusal('media_type_unsupported')
  const issues = new Issues()
  const body = checker.checkBody(request.body, issues, 'POST')
  issues.refuse()
  return body
}

function readPhone(parts: SimulatorPlatform, typed: { providerId: string; number: string }): object {
  const { providerId, country } = requireMomoProvider(parts, typed.providerId)
  const number = parsePhone(typed.number, country, 'test')
  if (number === undefined) throw invalid('number', 'is not a phone number')
  return { providerId, number }
}

function requireMomoProvider({ catalogue }: SimulatorPlatform, providerId: string): Provider {
  const provider = catalogue.find(providerId)
  if (provider?.type !== 'momo') throw invalid('providerId', 'is not a mobile money provider')
  return provider
}

const invalid = (param: string, error: string) =>
  new Refusal('arguments_invalid', { details: [{ param, errors: [error] }] })
