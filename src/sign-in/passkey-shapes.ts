import Type from 'typebox'
import {
  createTime,
  described,
  freeObject,
  nameText,
  nullableText,
  object,
  optional,
  ownId,
  text,
} from '../platform/http/shapes.ts'
import { passkeyIds } from './resources.ts'

const maxEncoded = 3_000 // limit: characters of each part of what an authenticator signs
const encoded = (max: number) => text(1, max, { pattern: '^[\\w-]+$', description: 'As base64url.' })
const credentialId = encoded(1_400)

export const passkeyName = nameText(1, 100, {
  description: 'What its person calls it.',
  examples: ['My phone'],
})

export const passkey = object(
  {
    id: ownId(passkeyIds),
    name: passkeyName,
    isSynced: Type.Boolean({ description: 'Whether its authenticator keeps it on other devices, too.' }),
    createTime,
    lastUseTime: described(nullableText, 'When it last signed somebody in; null: never.'),
  },
  { title: 'Passkey' },
)

/** As the browser’s own API takes them. */
export const passkeyOptions = object(
  { options: described(freeObject, 'What the browser’s own API is called with.') },
  { title: 'PasskeyOptions', description: 'As the browser’s own API takes them, in JSON.' },
)

/** What an authenticator made. */
export const newCredential = object({
  id: credentialId,
  clientDataJSON: encoded(maxEncoded),
  attestationObject: encoded(maxEncoded),
  transports: described(
    Type.Array(text(1, 32), { maxItems: 10 }),
    'How the authenticator can be reached, in the browser’s words.',
  ),
})

/** What an authenticator signed. */
export const assertedCredential = object({
  id: credentialId,
  clientDataJSON: encoded(maxEncoded),
  authenticatorData: encoded(maxEncoded),
  signature: encoded(maxEncoded),
  userHandle: optional(encoded(200)),
})
