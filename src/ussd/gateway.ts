import type { FastifyReply, FastifyRequest } from 'fastify'
import { parsePhone } from '../countries/phones.ts'
import { pathParams } from '../platform/http/request.ts'
import type { RawRoute } from '../platform/http/route.ts'
import { Refusal } from '../platform/refusals.ts'
import type { Environment } from '../platform/scope.ts'
import { sameText } from '../platform/seals.ts'
import { admitsAddress } from '../spaces/permissions.ts'
import { africasTalking } from './africastalking.ts'
import type { Aggregator } from './aggregator.ts'
import { createDialogue } from './dialogue.ts'
import { languageOf } from './phones.ts'
import { end } from './screens.ts'
import type { Reply } from './session-store.ts'
import type { DialogueParts, Step } from './step.ts'
import { testGatewaySecret } from './test-gateway.ts'
import { texts } from './texts.ts'

const aggregators: Aggregator[] = [africasTalking]

/** Networks end a dialogue that is not answered within some seconds. */
const answerWithinMs = 1_800
/** Steps under way on one node; more are told to dial again. */
const maxAtOnce = 1_000
const maxFieldLength = 500

/**
 * Where aggregators reach us: `POST /ussd/africastalking/<secret>`. The secret tells the environment: that of the test
 * gateway is made by us, that of live is the operator's. From the operator's own networks live is also served without.
 */
export function gatewayRoutes(parts: DialogueParts): RawRoute[] {
  const answerCall = createAnswering(parts)
  return aggregators.flatMap((aggregator): RawRoute[] => [
    {
      kind: 'raw',
      method: 'POST',
      url: `/ussd/${aggregator.name}`,
      summary: 'A phone dials, told by an aggregator of known address',
      admit: (request) => {
        if (!admitsAddress({ networks: parts.settings.ussdNetworks }, request.ip))
          throw new Refusal('not_found')
      },
      handle: (request, reply) => answerCall(aggregator, 'live', request, reply),
    },
    {
      kind: 'raw',
      method: 'POST',
      url: `/ussd/${aggregator.name}/:secret`,
      summary: 'A phone dials, told by an aggregator that knows the secret',
      admit: (request) => environmentOf(parts, request),
      handle: (request, reply) => answerCall(aggregator, environmentOf(parts, request), request, reply),
    },
  ])
}

function environmentOf({ seals, settings }: DialogueParts, request: FastifyRequest): Environment {
  const { secret = '' } = pathParams(request)
  if (sameText(secret, testGatewaySecret(seals))) return 'test'
  if (settings.ussdSecret !== undefined && sameText(secret, settings.ussdSecret)) return 'live'
  throw new Refusal('not_found')
}

function createAnswering(parts: DialogueParts) {
  const answerStep = createDialogue(parts)
  let underWay = 0
  return async (
    aggregator: Aggregator,
    environment: Environment,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => {
    const show = (shown: Reply) => {
      const { contentType, body } = aggregator.show(shown)
      return reply.headers({ 'cache-control': 'no-store' }).type(contentType).send(body)
    }
    if (request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() !== aggregator.bodyType)
      throw new Refusal('media_type_unsupported')
    const read = aggregator.read(formOf(request.body), parts.settings.ussdShortCode)
    if (read === 'notice') return reply.code(200).type('text/plain; charset=utf-8').send('')
    if (!read) throw new Refusal('arguments_invalid', { message: 'This is not a step of a dialogue.' })
    // As the network tells it: whether the number's range is known to us does not matter here.
    const phoneNumber = parsePhone(read.phoneNumber, 'ZZ', 'test')
    if (phoneNumber === undefined)
      throw new Refusal('arguments_invalid', {
        details: [{ param: 'phoneNumber', errors: ['must be a phone number with its country’s code'] }],
      })
    const step: Step = { ...read, environment, aggregator: aggregator.name, phoneNumber }
    if (underWay >= maxAtOnce) return show(late(step))
    underWay++
    const answer = answerStep(step).finally(() => underWay--)
    return show(await inTime(parts, step, answer))
  }
}

/** Whatever happens behind, the phone has its answer in time. What is done late is done, and kept for a repetition. */
async function inTime({ log }: DialogueParts, step: Step, answer: Promise<Reply>): Promise<Reply> {
  let timer: NodeJS.Timeout | undefined
  const timeOut = new Promise<Reply>((resolve) => {
    timer = setTimeout(() => {
      log.warn({ aggregator: step.aggregator }, 'a step of a USSD dialogue took too long')
      resolve(late(step))
    }, answerWithinMs)
  })
  const answered = answer.catch((err) => {
    log.error({ err, aggregator: step.aggregator }, 'a step of a USSD dialogue failed')
    return late(step)
  })
  try {
    return await Promise.race([answered, timeOut])
  } finally {
    clearTimeout(timer)
  }
}

const late = (step: Step) => end(texts[languageOf(undefined, step)].late)

/** The fields that are text, once each; a request with anything longer or else has none. */
function formOf(body: unknown): Record<string, string> {
  if (typeof body !== 'object' || body === null) return {}
  const entries = Object.entries(body)
  const isPlain = entries.every(
    ([, value]) => typeof value === 'string' && value.length <= maxFieldLength && !value.includes('\0'),
  )
  return isPlain ? Object.fromEntries(entries) : {}
}
