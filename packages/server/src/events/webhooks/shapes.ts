import { fieldsOf } from '@pesewa/values'
import Type from 'typebox'
import { currentRelease } from '../../platform/http/admission/version.ts'
import type { Rule } from '../../platform/http/commands/route.ts'
import {
  clearable,
  flag,
  group,
  metadata,
  nameText,
  nullable,
  nullableTime,
  object,
  optional,
  ownId,
  shownAddress,
  shownText,
  webAddress,
  withDescription,
  withMeanings,
} from '../../platform/http/shapes/shapes.ts'
import { ownedFields } from '../../tenants/spaces/shapes.ts'
import { webhookIds } from '../resources.ts'
import { subscribableTypes, subscriptions } from '../types.ts'
import { attempt, lastDay } from './attempt-shapes.ts'
import { isSecret } from './signing.ts'

const release = Type.Enum([currentRelease.name], { default: currentRelease.name })
/**
 * Returns the shape of a webhook's `events`. It must be called after every slice has registered its event
 * types, so it is a function.
 */
const events = () =>
  Type.Array(Type.Enum(subscriptions()), {
    minItems: 1,
    maxItems: 100, // limit: event types of a webhook
    description: 'Event types, `payment.*` for all types of a resource, or `*` for all.',
    examples: [['payment.completed', 'checkout_session.*']],
  })

/** Returns the shape of a request for an example. Like `events`, it must be called late. */
export const exampleRequest = () =>
  object({
    eventType: Type.Enum(subscribableTypes(), {
      description: 'Event type of the example. The webhook need not subscribe to it.',
      examples: ['payment.completed'],
    }),
  })

const maxHeaders = 10 // limit: custom headers of a webhook
const headerName = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/
const headerValue = /^[\x20-\x7e]{0,255}$/
/** Matches headers that we set ourselves or that control the connection. */
const takenHeaders =
  /^(?:host|content-.*|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|proxy-.*|webhook-.*|user-agent)$/i

const headers = Type.Refine(
  Type.Unsafe<Record<string, string>>({
    type: 'object',
    maxProperties: maxHeaders,
    additionalProperties: { type: 'string', maxLength: 255 }, // limit: length of a custom header’s value
    description: 'Custom headers of every delivery.',
    examples: [{ 'X-Shop': '42' }],
  }),
  (value) =>
    Object.entries(fieldsOf(value)).every(
      ([name, entry]) => headerName.test(name) && !takenHeaders.test(name) && headerValue.test(String(entry)),
    ),
  () => 'must contain valid HTTP header names and values, and no header that we set ourselves',
)

const alertEmails = Type.Array(
  Type.String({
    maxLength: 254,
    pattern: '^[^\\s@<>,;:"()\\[\\]\\\\]+@[^\\s@<>,;:"()\\[\\]\\\\]+\\.[^\\s@<>,;:"()\\[\\]\\\\.]+$',
  }),
  {
    maxItems: 2, // limit: alert email addresses of a webhook
    description: 'Email addresses that are notified if we disable the webhook.',
    examples: [['dev@shop.example']],
  },
)

export const secret = Type.Refine(
  Type.String({
    maxLength: 256,
    description:
      'whsec_ followed by the base64 of 24 to 64 bytes, or 32 to 256 ASCII characters. Omit to generate one.',
    examples: ['a secret of thirty-two characters'],
  }),
  isSecret,
  () => 'must be whsec_ followed by the base64 of 24 to 64 bytes, or 32 to 256 ASCII characters',
)

export const newWebhook = () =>
  object(
    {
      name: withDescription(nameText(1, 100), 'Name of the webhook.'),
      apiRelease: withDescription(optional(release), 'API release of its events.'),
      url: withDescription(webAddress(), 'URL that receives the events.'),
      events: events(),
      enabled: withDescription(optional(Type.Boolean({ default: true })), 'True if events are sent.'),
      headers: optional(headers),
      alertEmails: optional(alertEmails),
      verificationMethod: optional(
        group('How deliveries are signed.', {
          type: withMeanings(
            optional(Type.Enum(['HS256', 'ED25519'], { default: 'HS256' })),
            'Signature algorithm.',
            {
              HS256: 'HMAC-SHA256 with a shared secret',
              ED25519: 'ed25519 with a private key that only we have',
            },
          ),
          secret: optional(secret),
        }),
      ),
      metadata: optional(metadata),
    },
    { title: 'NewWebhook' },
  )

export const webhookChange = () =>
  object({
    name: withDescription(optional(nameText(1, 100)), 'Name of the webhook.'),
    apiRelease: withDescription(optional(release), 'API release of its events.'),
    url: withDescription(optional(webAddress()), 'URL that receives the events.'),
    events: optional(events()),
    enabled: withDescription(optional(Type.Boolean()), 'True if events are sent.'),
    headers: clearable(headers),
    alertEmails: clearable(alertEmails),
    metadata: clearable(metadata),
  })

export const webhook = object(
  {
    id: ownId(webhookIds),
    name: shownText('Name of the webhook.'),
    apiRelease: shownText('API release of its events.', currentRelease.name),
    url: withDescription(shownAddress, 'URL that receives the events.', 'https://shop.example/hooks/pesewa'),
    events: withDescription(
      Type.Array(Type.String()),
      'Event types, `payment.*` for all types of a resource, or `*` for all.',
      ['payment.completed', 'checkout_session.*'],
    ),
    enabled: flag('True if events are sent.'),
    failingSinceTime: withDescription(
      nullableTime,
      'Time since which all deliveries have failed; null if the last one succeeded or none was attempted.',
    ),
    lastDay: optional(lastDay),
    lastExample: withDescription(
      optional(
        nullable(
          object({ eventType: shownText('Event type of the example.', 'payment.completed'), ...attempt }),
        ),
      ),
      'The last example sent with `send-example`; null if there was none. Only with `withActivity=true`.',
    ),
    headers: Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'Custom headers. Values are `****` in events and for callers without `webhooks:write`.',
    }),
    alertEmails: withDescription(
      Type.Array(Type.String()),
      'Email addresses that are notified if we disable the webhook.',
      ['dev@shop.example'],
    ),
    verificationMethod: group('How deliveries are signed.', {
      type: withMeanings(Type.Enum(['HS256', 'ED25519']), 'Signature algorithm.', {
        HS256: 'HMAC-SHA256 with a shared secret',
        ED25519: 'ed25519 with a private key that only we have',
      }),
      secret: optional(shownText('HS256 only: the secret, shown only when it is created.')),
      publicKey: optional(
        Type.String({
          description: 'ED25519 only: the public key to verify signatures with, `whpk_` followed by base64.',
          examples: ['whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo='],
        }),
      ),
    }),
    ...ownedFields,
  },
  { title: 'Webhook' },
)

/** Used in examples of responses that contain a new secret. */
export const withSecret = { verificationMethod: { secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD' } }

export const urlRule: Rule = {
  about: ['url'],
  says: '`url` must point to the public internet, on port 80, 443 or 1024 to 65535; in the live environment, it must use https.',
}
export const secretRule = (param: string): Rule => ({
  about: [param],
  says: `With ED25519, \`${param}\` must be omitted, because we generate the keys.`,
})
