import { type RefusalReason, refusalCatalogue } from '../refusals.ts'
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

export const refusal = { default: { $ref: '#/components/responses/Refusal' } }

const errorEnvelope = object(
  {
    success: plainShape({ type: 'boolean', const: false, description: 'That the request was refused.' }),
    messages: plainShape({ type: 'array', items: { type: 'string' }, description: 'Empty in a refusal.' }),
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

/** The one response of all that is refused. */
export function refusalResponse(components: Map<string, unknown>) {
  const [status, message] = refusalCatalogue.arguments_invalid
  const details = [{ param: 'lineItems[0].price.value', errors: ['must be at least 1'] }]
  return {
    description: refusalText,
    headers: {
      'Retry-After': {
        description: 'Of a 429 and a 503: after how many seconds to try again, at least 1.',
        schema: { type: 'integer', minimum: 1 },
      },
      'Service-Rate-Limit': {
        description: 'Of a 429: the limit that was exceeded.',
        schema: { type: 'string' },
      },
    },
    content: {
      'application/json': {
        schema: refer(errorEnvelope, components),
        example: {
          success: false,
          messages: [],
          error: { code: status, reason: 'arguments_invalid', message, details },
        },
      },
    },
  }
}

const named = (reasons: readonly string[]) => reasons.map((reason) => `\`${reason}\``).join(', ')

const refusalText = `Refused, and nothing was changed. The status says what kind of refusal it is, and \`error.reason\` which.

An operation names the reasons that come from what it does as \`x-reasons\`. Beside them:

- Every call: ${named(shared.call)}.
- Calls in a Space: ${named(shared.inSpace)}.
- POST: ${named(shared.ofPost)}.
- POST, PATCH and DELETE: ${named(shared.withBody)}.
- Lists: ${named(shared.ofList)}.

| Status | Reason | Message |
| --- | --- | --- |
${Object.entries(refusalCatalogue)
  .map(([reason, [status, message]]) => `| ${status} | \`${reason}\` | ${message.replaceAll(/<|>/g, '')} |`)
  .join('\n')}`
