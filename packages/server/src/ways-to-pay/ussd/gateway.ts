import { fieldsOf, sameText } from '@pesewa/values'
import { parsePhone } from '@pesewa/values/phones'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RawRoute } from '../../platform/http/commands/route.ts'
import { pathParams } from '../../platform/http/server/request.ts'
import { Refusal } from '../../platform/refusals.ts'
import type { Environment } from '../../platform/scope.ts'
import { admitsAddress } from '../../tenants/spaces/permissions.ts'
import { africasTalking } from './africastalking.ts'
import type { Aggregator } from './aggregator.ts'
import { languageOf } from './phones.ts'
import { finalReply } from './screens.ts'
import type { Reply } from './session-store.ts'
import type { Step, UssdParts } from './step.ts'
import { createStepHandler } from './step-handler.ts'
import { testGatewaySecret } from './test-gateway.ts'
import { menuTexts } from './texts.ts'

const aggregators: Aggregator[] = [africasTalking]

/** Networks end a session if the phone receives no reply within a few seconds. */
const replyWithinMs = 1_800 // limit: time until a phone gets a response
/** If more steps than this are in flight on one node, phones are asked to dial again. */
const maxInFlight = 1_000 // maximum number of concurrent USSD steps on a node
const maxFieldLength = 500 // maximum length of a field in an aggregator’s request

/**
 * The endpoint for aggregators, `POST /ussd/africastalking/<secret>`. The secret selects the environment: we
 * derive the secret of the test gateway, and the operator sets the live one. IP addresses listed in the
 * operator's USSD_NETWORKS can reach the live environment without a secret.
 */
export function gatewayRoutes(parts: UssdParts): RawRoute[] {
  const respond = createResponder(parts)
  const route = (
    aggregator: Aggregator,
    address: string,
    summary: string,
    environmentOf: (request: FastifyRequest) => Environment,
  ): RawRoute => ({
    kind: 'raw',
    method: 'POST',
    url: `/ussd/${aggregator.name}${address}`,
    summary: `Receive a USSD step from an aggregator with ${summary}`,
    admit: environmentOf,
    handle: (request, reply) => respond(aggregator, environmentOf(request), request, reply),
  })
  return aggregators.flatMap((aggregator) => [
    route(aggregator, '', 'an allowed address', ({ ip }) => {
      if (!admitsAddress({ networks: parts.settings.ussdNetworks }, ip)) throw new Refusal('not_found')
      return 'live'
    }),
    route(aggregator, '/:secret', 'the secret', (request) => environmentOf(parts, request)),
  ])
}

function environmentOf({ seals, settings }: UssdParts, request: FastifyRequest): Environment {
  const { secret = '' } = pathParams(request)
  if (sameText(secret, testGatewaySecret(seals))) return 'test'
  if (settings.ussdSecret !== undefined && sameText(secret, settings.ussdSecret)) return 'live'
  throw new Refusal('not_found')
}

function createResponder(parts: UssdParts) {
  const handleStep = createStepHandler(parts)
  let inFlight = 0
  return async (
    aggregator: Aggregator,
    environment: Environment,
    request: FastifyRequest,
    response: FastifyReply,
  ) => {
    const show = (reply: Reply) => {
      const { contentType, body } = aggregator.formatReply(reply)
      return response.headers({ 'cache-control': 'no-store' }).type(contentType).send(body)
    }
    if (request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() !== aggregator.bodyType)
      throw new Refusal('media_type_unsupported')
    const sent = aggregator.read(readFormFields(request.body), parts.settings.ussdShortCode)
    if (sent === 'notice') return response.code(200).type('text/plain; charset=utf-8').send('')
    if (!sent)
      throw new Refusal('arguments_invalid', { message: 'The body must contain one step of a USSD session.' })
    // Any well-formed number is accepted: the network vouches for it, and its range may be newer than our data.
    const phoneNumber = parsePhone(sent.phoneNumber, 'ZZ', 'test')
    if (phoneNumber === undefined)
      throw new Refusal('arguments_invalid', {
        details: [{ param: 'phoneNumber', errors: ['must be a phone number with its country code'] }],
      })
    const step: Step = { ...sent, environment, aggregator: aggregator.name, phoneNumber }
    if (inFlight >= maxInFlight) return show(slowReply(step))
    inFlight++
    const reply = handleStep(step).finally(() => inFlight--)
    return show(await replyInTime(parts, step, reply))
  }
}

/**
 * Ensures that the phone gets a reply in time. A step that finishes late still counts, and its reply is saved
 * for a repeated delivery.
 */
async function replyInTime({ log }: UssdParts, step: Step, reply: Promise<Reply>): Promise<Reply> {
  const { aggregator } = step
  let timer: NodeJS.Timeout | undefined
  const timeOut = new Promise<Reply>((resolve) => {
    timer = setTimeout(() => {
      log.warn({ aggregator }, 'a USSD step timed out')
      resolve(slowReply(step))
    }, replyWithinMs)
  })
  const handled = reply.catch((err) => {
    log.error({ err, aggregator }, 'failed to handle a USSD step')
    return slowReply(step)
  })
  try {
    return await Promise.race([handled, timeOut])
  } finally {
    clearTimeout(timer)
  }
}

const slowReply = (step: Step) => finalReply(menuTexts[languageOf(undefined, step.phoneNumber)].slow)

/** Returns the form fields, or an empty object if any field is repeated, too long or contains NUL. */
function readFormFields(body: unknown): Record<string, string> {
  const form: Record<string, string> = {}
  for (const [name, value] of Object.entries(fieldsOf(body))) {
    if (typeof value !== 'string' || value.length > maxFieldLength || value.includes('\0')) return {}
    form[name] = value
  }
  return form
}
