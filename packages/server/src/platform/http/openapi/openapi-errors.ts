import { keysOf, must } from '@pesewa/values'
import { type Issue, type RefusalReason, refusalCatalogue } from '../../refusals.ts'
import { type ApiRoute, type Documentation, isInSpace, type RawRoute } from '../commands/route.ts'
import { object, plainShape } from '../shapes/shapes.ts'
import { refer } from './openapi-schemas.ts'

/** Refusal reasons that all calls of a kind share. They are documented once. */
const shared = {
  call: [
    'request_invalid',
    'arguments_invalid',
    'version_unknown',
    'token_missing',
    'token_invalid',
    'token_expired',
    'access_denied',
    'request_timeout',
    'headers_too_large',
    'too_many_requests',
    'internal_error',
    'service_unavailable',
  ],
  open: ['arguments_invalid', 'json_invalid', 'access_denied', 'too_many_requests'],
  inSpace: ['space_id_missing', 'space_id_invalid'],
  ofPost: [
    'idempotency_key_missing',
    'idempotency_key_invalid',
    'idempotency_key_in_use',
    'idempotency_key_in_progress',
  ],
  withBody: ['json_invalid', 'body_too_large', 'media_type_unsupported'],
  ofList: ['cursor_invalid', 'not_acceptable'],
  withFiles: ['not_acceptable'],
  ofObject: ['not_found'],
  afterStepUp: ['step_up_required'],
} as const satisfies Record<string, readonly RefusalReason[]>

/** Returns the refusal reasons that are specific to an operation and therefore documented with it. */
export const ownReasons = ({
  url,
  reasons = [],
  ...route
}: ApiRoute | (RawRoute & Documentation)): RefusalReason[] => [
  ...(url.includes(':') ? shared.ofObject : []),
  ...('files' in route && route.files ? shared.withFiles : []),
  ...(route.kind !== 'raw' && (route.needsStepUp || route.needsStepUpFor) ? shared.afterStepUp : []),
  ...reasons,
]

/** Returns all reasons for which a call may be refused. */
export const reasonsOf = (route: ApiRoute): RefusalReason[] => [
  ...shared.call,
  ...(isInSpace(route) ? shared.inSpace : []),
  ...(route.kind === 'command' ? shared.ofPost : []),
  ...(route.kind === 'command' || route.kind === 'change' ? shared.withBody : []),
  ...(route.kind === 'list' ? shared.ofList : []),
  ...ownReasons(route),
]

/** Returns the reasons for which a call by someone who has not signed in yet may be refused. */
export const openReasons = (route: RawRoute & Documentation): RefusalReason[] => [
  ...shared.open,
  ...ownReasons(route),
]

/**
 * The names of the responses for the statuses that generated clients distinguish. All other refusals use the
 * default response.
 */
const usual: Record<number, string> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  429: 'TooManyRequests',
}

const sharedResponse = (name: string) => ({ $ref: `#/components/responses/${name}` })

/** Returns the responses, by status, of an operation that may be refused for the given reasons. */
export function refusals(reasons: readonly RefusalReason[]) {
  const statuses = new Set<number>(reasons.map((reason) => refusalCatalogue[reason][0]))
  const named = Object.entries(usual).filter(([status]) => statuses.has(Number(status)))
  return {
    ...Object.fromEntries(named.map(([status, name]) => [status, sharedResponse(name)])),
    default: sharedResponse('Refusal'),
  }
}

const errorEnvelope = object(
  {
    success: plainShape({ type: 'boolean', const: false, description: 'Always false.' }),
    messages: plainShape({
      type: 'array',
      items: { type: 'string' },
      description: 'The same message as `error.message`; empty for a 429.',
    }),
    error: plainShape({
      type: 'object',
      description: 'Why the request was refused.',
      required: ['code', 'reason', 'message', 'details'],
      properties: {
        code: { type: 'integer', description: 'HTTP status code.' },
        reason: {
          type: 'string',
          enum: Object.keys(refusalCatalogue),
          description: 'Machine-readable reason, one of those listed under responses.',
        },
        message: { type: 'string', description: 'Human-readable message. The wording may change.' },
        details: {
          type: 'array',
          description: 'All invalid arguments; empty if the refusal is about something else.',
          items: {
            type: 'object',
            required: ['param', 'errors'],
            properties: {
              param: {
                type: 'string',
                description: 'Path of the argument, such as `lineItems[0].price.value`.',
              },
              errors: {
                type: 'array',
                items: { type: 'string' },
                description: 'Everything that is wrong with the argument.',
              },
            },
          },
        },
      },
    }),
  },
  { title: 'Error', description: 'Returned for every refused request.' },
)

/** Returns the response for each common refusal status, and the default response. */
export function refusalResponses(components: Map<string, unknown>) {
  const schema = refer(errorEnvelope, components)
  const reasons = typedEntries(refusalCatalogue)
  const ofStatus = Object.entries(usual).map(([status, name]) => {
    const own = reasons.filter(([, [code]]) => code === Number(status))
    return [
      name,
      refusalResponse(schema, tableOf(own), must(own[0], 'refusal reason with this status')[0]),
    ] as const
  })
  return {
    ...Object.fromEntries(ofStatus),
    Refusal: refusalResponse(schema, `${refusalText}\n\n${tableOf(reasons)}`, 'internal_error'),
  }
}

type Reasoned = [reason: RefusalReason, said: readonly [status: number, message: string]]
const typedEntries = (catalogue: typeof refusalCatalogue): Reasoned[] =>
  keysOf(catalogue).map((reason) => [reason, catalogue[reason]])

const examples: Partial<Record<RefusalReason, RefusalReason>> = {
  request_invalid: 'arguments_invalid',
  idempotency_key_in_use: 'state_conflict',
}
const exampleDetails: Partial<Record<RefusalReason, Issue[]>> = {
  arguments_invalid: [{ param: 'lineItems[0].price.value', errors: ['must be at least 1'] }],
  access_denied: [{ param: 'permission', errors: ['payouts:write'] }],
}

function refusalResponse(schema: unknown, description: string, first: RefusalReason) {
  const reason = examples[first] ?? first
  const [code, message] = refusalCatalogue[reason]
  const isWait = code === refusalCatalogue.too_many_requests[0]
  return {
    description,
    ...((isWait || first === 'internal_error') && { headers: waitHeaders }),
    content: {
      'application/json': {
        schema,
        example: {
          success: false,
          messages: isWait ? [] : [message],
          error: { code, reason, message, details: exampleDetails[reason] ?? [] },
        },
      },
    },
  }
}

const waitHeaders = {
  'Retry-After': {
    description: 'Sent with 429 and 503: seconds to wait before retrying, at least 1.',
    schema: { type: 'integer', minimum: 1 },
  },
  'Service-Rate-Limit': {
    description: 'Sent with 429: the limit that was exceeded.',
    schema: { type: 'string' },
  },
}

const named = (reasons: readonly string[]) => reasons.map((reason) => `\`${reason}\``).join(', ')

const refusalText = `The request was refused and changed nothing. Use \`error.reason\` to tell refusals apart.

Reasons specific to an operation are listed in its \`x-reasons\`. In addition:

- Every call: ${named(shared.call)}.
- Calls in a Space: ${named(shared.inSpace)}.
- POST: ${named(shared.ofPost)}.
- POST, PATCH and DELETE: ${named(shared.withBody)}.
- Lists: ${named(shared.ofList)}.`

const tableOf = (reasons: Reasoned[]) => `| Status | Reason | Message |
| --- | --- | --- |
${reasons
  .map(([reason, [status, message]]) => `| ${status} | \`${reason}\` | ${message.replaceAll(/<|>/g, '')} |`)
  .join('\n')}`
