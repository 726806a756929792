import Type from 'typebox'
import {
  createTime,
  flag,
  freeObject,
  nameText,
  nullableTime,
  object,
  optional,
  ownId,
  text,
  withDescription,
} from '../../platform/http/shapes/shapes.ts'
import { passkeyIds } from './resources.ts'

const maxEncoded = 3_000 // maximum number of characters in each field of a passkey response
const encoded = (max: number) => text(1, max, { pattern: '^[\\w-]+$', description: 'Encoded as base64url.' })
const credentialId = encoded(1_400)

export const passkeyName = nameText(1, 100, {
  description: 'Name that the user gave the passkey.',
  examples: ['My phone'],
})

export const passkey = object(
  {
    id: ownId(passkeyIds),
    name: passkeyName,
    isSynced: flag('True if the authenticator syncs the passkey to other devices.'),
    createTime,
    lastUseTime: withDescription(
      nullableTime,
      'Time of the last sign-in with this passkey; null if it has never been used.',
    ),
  },
  { title: 'Passkey' },
)

/** Options for the browser's WebAuthn API. */
export const passkeyOptions = object(
  { options: withDescription(freeObject, 'Argument for the browser’s WebAuthn call.') },
  { title: 'PasskeyOptions', description: 'Options for the browser’s WebAuthn API, as JSON.' },
)

/** An authenticator's response to a registration. */
export const newCredential = object({
  id: credentialId,
  clientDataJSON: encoded(maxEncoded),
  attestationObject: encoded(maxEncoded),
  transports: withDescription(
    Type.Array(text(1, 32), { maxItems: 10 }),
    'Transports of the authenticator, as reported by the browser.',
  ),
})

/** An authenticator's response to a challenge. */
export const assertedCredential = object({
  id: credentialId,
  clientDataJSON: encoded(maxEncoded),
  authenticatorData: encoded(maxEncoded),
  signature: encoded(maxEncoded),
  userHandle: optional(encoded(200)),
})
