import assert from 'node:assert/strict'
import Type, { type TObject, type TSchema } from 'typebox'
import { exampleOf } from '../../platform/http/openapi/openapi-examples.ts'
import type { Shared } from '../../platform/http/openapi/openapi-operations.ts'
import { refer } from '../../platform/http/openapi/openapi-schemas.ts'
import { exampleId, text } from '../../platform/http/shapes/shapes.ts'
import { resourceOf } from '../../platform/resources.ts'
import { eventIds } from '../resources.ts'
import { describeEventType, eventTypes } from '../types.ts'

/**
 * Builds the webhook section of the OpenAPI document, with one entry per event type. `dataOf` returns the
 * schema of the data in an event.
 */
export function webhookSection(event: TSchema, dataOf: (type: string) => TSchema, shared: Shared) {
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
    data: exampleOf(data, sent, exampleData(happening)),
  }
  const { title: _, ...envelope }: TObject & { title?: string } = event
  const properties = {
    ...event.properties,
    type: { const: type, description: 'Event type.' },
    data: { ...data, here: 'The object when the event happened.' },
  }
  return {
    operationId: `on-${type.replaceAll(/[._]/g, '-')}`,
    summary: describeEventType(type),
    description: 'Sent by POST to each webhook whose `events` include this type.',
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
      '2XX': {
        description: 'The event was accepted. Any other status, or no response within 15 s, causes a retry.',
      },
    },
  }
}

/** Returns example values for an object's fields after this event. Fields that the schema lacks are ignored. */
const exampleData = (happening: string) => ({
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

/** The headers of every delivery, as defined by Standard Webhooks. */
export const webhookHeaders = {
  WebhookId: header(
    'webhook-id',
    'Id of the event, the same for every attempt. Use it to ignore duplicates.',
    exampleId(eventIds),
  ),
  WebhookTimestamp: header(
    'webhook-timestamp',
    'When this attempt was sent, in seconds since 1970. Reject it if it differs from your clock by more than five minutes.',
    '1795255200',
  ),
  WebhookSignature: header(
    'webhook-signature',
    'Space-separated signatures of `<webhook-id>.<webhook-timestamp>.<body>`: `v1,` followed by the base64 of HMAC-SHA256, or `v1a,` followed by the base64 of ed25519. One valid signature is enough.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
}
