import assert from 'node:assert/strict'
import Type, { type TObject, type TSchema } from 'typebox'
import { exampleOf } from '../../platform/http/openapi-examples.ts'
import type { Shared } from '../../platform/http/openapi-operations.ts'
import { refer } from '../../platform/http/openapi-schemas.ts'
import { exampleId, text } from '../../platform/http/shapes.ts'
import { resourceOf } from '../../platform/resources.ts'
import { eventIds } from '../resources.ts'
import { eventTypes, meaningOf } from '../types.ts'

/** What is sent to webhooks, for the reference: one entry for each type of event. `dataOf`: the shape of its data. */
export function webhooksOf(event: TSchema, dataOf: (type: string) => TSchema, shared: Shared) {
  assert(Type.IsObject(event), 'an event has fields')
  return Object.fromEntries(
    eventTypes().map((type) => [type, { post: delivery(event, type, dataOf(type), shared) }]),
  )
}

function delivery(event: TObject, type: string, data: TSchema, { components, sent }: Shared) {
  const [about = '', happening = ''] = type.split('.')
  const shown = {
    type,
    object: { id: exampleId(resourceOf(about).ids), type: about },
    data: exampleOf(data, sent, toldOf(happening)),
  }
  const { title: _, ...envelope }: TObject & { title?: string } = event
  const properties = {
    ...event.properties,
    type: { const: type, description: 'What happened.' },
    data: { ...data, here: 'The object as it was when this happened.' },
  }
  return {
    operationId: `on-${type.replaceAll(/[._]/g, '-')}`,
    summary: meaningOf(type),
    description: 'Sent by POST to each webhook that names this type of event in its `events`.',
    tags: ['webhooks'],
    security: [],
    parameters: Object.keys(webhookHeaders).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: refer({ ...envelope, properties }, components),
          example: exampleOf(event, sent, shown),
        },
      },
    },
    responses: {
      '2XX': { description: 'The event was taken. Anything else, or nothing within 15 s: it is sent again.' },
    },
  }
}

/** What an object is like when this has happened to it, as far as its shape has such fields. */
const toldOf = (happening: string) => ({
  status: happening,
  ...(happening === 'failed' && { failureDetail: {} }),
})

const header = (name: string, description: string, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  example,
  schema: text(1, 1000),
})

/** What every delivery has beside its body, by the Standard Webhooks scheme. */
export const webhookHeaders = {
  WebhookId: header(
    'webhook-id',
    'The id of the event: the same each time that it is sent, so that it is handled once.',
    exampleId(eventIds),
  ),
  WebhookTimestamp: header(
    'webhook-timestamp',
    'When this delivery was sent, in seconds since 1970. Refuse what is more than five minutes off.',
    '1795255200',
  ),
  WebhookSignature: header(
    'webhook-signature',
    'Signatures of `<webhook-id>.<webhook-timestamp>.<body>`, with a space between them: `v1,` and base64 of HMAC-SHA256, or `v1a,` and base64 of ed25519. One that is right is enough.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
}
