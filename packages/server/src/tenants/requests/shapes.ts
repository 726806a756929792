import Type from 'typebox'
import {
  flag,
  group,
  nullableText,
  object,
  optional,
  optionalEnum,
  optionalReferenceTo,
  ownId,
  referenceTo,
  shownText,
  textOrNull,
  timestamp,
  withDescription,
  withMeanings,
} from '../../platform/http/shapes/shapes.ts'
import { requestIds } from '../../platform/ids.ts'
import { tokenIds } from '../spaces/resources.ts'

const methods = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'] as const
export const statusClasses = { '2xx': 2, '4xx': 4, '5xx': 5 } as const

const listed = {
  id: ownId(requestIds),
  timestamp: withDescription(timestamp, 'Time when the request arrived.'),
  method: shownText('HTTP method.', 'POST'),
  route: shownText('Route as in the API reference, without ids.', '/v1/payments/:id'),
  path: Type.String({
    description: 'Path without the query. Personal numbers are masked.',
    examples: ['/v1/payments/pay-01kaj3v5w8e4r9tbn2m6c7d0xz'],
  }),
  status: withDescription(Type.Integer({ examples: [422] }), 'HTTP status of the response.'),
  reason: textOrNull('Reason for the error; null if the request succeeded.'),
  caller: group('Credential used for the request.', {
    type: withMeanings(Type.Enum(['token', 'session']), 'Type of credential.', {
      token: 'an access token',
      session: 'a console session',
    }),
    id: Type.String({
      description: 'Id of the access token or console session.',
      examples: ['tok-01kaj3v5w8e4r9tbn2m6c7d0xz'],
    }),
  }),
  durationMs: Type.Integer({ minimum: 0, description: 'Duration of the request in milliseconds.' }),
}

export const listedRequest = object(listed, { title: 'ListedRequest' })
export const request = object(
  {
    ...listed,
    body: Type.Unsafe<string | null>({
      ...nullableText,
      description:
        'Request body as JSON, up to 4,096 characters, with secrets, phone numbers and codes masked as `***`. Null if there was no body, or if the body of such a request is never logged.',
    }),
    isBodyCut: flag('True if the body was longer than the part that was kept.'),
  },
  { title: 'LoggedRequest', description: 'A request from the last seven days.' },
)

export const filters = object({
  statusClass: optional(
    Type.Enum(['2xx', '4xx', '5xx'], { description: 'Class of the HTTP status. `4xx`: refused requests.' }),
  ),
  method: optionalEnum([...methods], 'Only requests with this HTTP method.'),
  pathPrefix: optional(
    Type.String({
      maxLength: 200, // characters of a path prefix to filter by
      description: 'Only requests whose path starts with this text.',
      examples: ['/v1/payments'],
    }),
  ),
  requestId: optionalReferenceTo(requestIds, 'Only the request with this id, as given in error responses.'),
  tokenId: optional({
    ...referenceTo(tokenIds),
    description: 'Only requests made with this access token or console session.',
  }),
})
