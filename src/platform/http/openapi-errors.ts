import { keysOf } from '../fields.ts'
import { must } from '../must.ts'
import { type Fault, type RefusalReason, refusalCatalogue } from '../refusals.ts'
import { refer } from './openapi-schemas.ts'
import { type ApiRoute, type Documentation, isInSpace, type RawRoute } from './route.ts'
import { object, plainShape } from './shapes.ts'

/** What may refuse every call of a kind, whatever it is about: said once. */
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

/** The reasons that an operation names itself: what it may be refused for because of what it does. */
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

/** All reasons for which a call may be refused. */
export const reasonsOf = (route: ApiRoute): RefusalReason[] => [
  ...shared.call,
  ...(isInSpace(route) ? shared.inSpace : []),
  ...(route.kind === 'command' ? shared.ofPost : []),
  ...(route.kind === 'command' || route.kind === 'change' ? shared.withBody : []),
  ...(route.kind === 'list' ? shared.ofList : []),
  ...ownReasons(route),
]

/** Why a call of somebody who is not signed in yet may be refused. */
export const openReasons = (route: RawRoute & Documentation): RefusalReason[] => [
  ...shared.open,
  ...ownReasons(route),
]

/** The statuses that generated clients tell apart, each with the name of its response. Whatever else refuses is the default. */
const usual: Record<number, string> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  429: 'TooManyRequests',
}

const sharedResponse = (name: string) => ({ $ref: `#/components/responses/${name}` })

/** The responses of an operation that is refused for one of these reasons, by status. */
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
    success: plainShape({ type: 'boolean', const: false, description: 'That the request was refused.' }),
    messages: plainShape({
      type: 'array',
      items: { type: 'string' },
      description: 'The sentence of `error.message`; empty in a 429.',
    }),
    error: plainShape({
      type: 'object',
      description: 'Why it was refused.',
      required: ['code', 'reason', 'message', 'details'],
      properties: {
        code: { type: 'integer', description: 'The HTTP status, once more.' },
        reason: {
          type: 'string',
          enum: Object.keys(refusalCatalogue),
          description: 'What programs decide by: one of the fixed words of the table under responses.',
        },
        message: { type: 'string', description: 'A sentence for people. It may change.' },
        details: {
          type: 'array',
          description: 'Each argument at fault, all of them at once; empty where it is none.',
          items: {
            type: 'object',
            required: ['param', 'errors'],
            properties: {
              param: {
                type: 'string',
                description: 'Where the argument stands, such as `lineItems[0].price.value`.',
              },
              errors: {
                type: 'array',
                items: { type: 'string' },
                description: 'All that is wrong with it, each as a sentence about it.',
              },
            },
          },
        },
      },
    }),
  },
  { title: 'Error', description: 'What every refused request returns, whatever its status.' },
)

/** All responses to what is refused: of each usual status, and of any. */
export function refusalResponses(components: Map<string, unknown>) {
  const schema = refer(errorEnvelope, components)
  const reasons = typedEntries(refusalCatalogue)
  const ofStatus = Object.entries(usual).map(([status, name]) => {
    const own = reasons.filter(([, [code]]) => code === Number(status))
    return [name, refusalResponse(schema, tableOf(own), must(own[0], 'reason of a status')[0])] as const
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
const exampleDetails: Partial<Record<RefusalReason, Fault[]>> = {
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
    description: 'Sent with a 429 and a 503: after how many seconds to try again, at least 1.',
    schema: { type: 'integer', minimum: 1 },
  },
  'Service-Rate-Limit': {
    description: 'Sent with a 429: the limit that was exceeded.',
    schema: { type: 'string' },
  },
}

const named = (reasons: readonly string[]) => reasons.map((reason) => `\`${reason}\``).join(', ')

const refusalText = `Refused, and nothing was changed. The status says what kind of refusal it is, and \`error.reason\` which.

An operation names the reasons that come from what it does as \`x-reasons\`. Beside them:

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
