import Type from 'typebox'
import {
  freeObject,
  idOf,
  nameText,
  nullableText,
  object,
  optional,
  text,
  timestamp,
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
    id: idOf(passkeyIds),
    name: passkeyName,
    isSynced: Type.Boolean({ description: 'Whether its authenticator keeps it on other devices, too.' }),
    createTime: timestamp,
    lastUseTime: nullableText,
  },
  { title: 'Passkey' },
)

/** As the browser’s own API takes them. */
export const passkeyOptions = object(
  { options: freeObject },
  { title: 'PasskeyOptions', description: 'As the browser’s own API takes them, in JSON.' },
)

/** What an authenticator made. */
export const newCredential = object({
  id: credentialId,
  clientDataJSON: encoded(maxEncoded),
  attestationObject: encoded(maxEncoded),
  transports: Type.Array(text(1, 32), { maxItems: 10 }),
})

/** What an authenticator signed. */
export const assertedCredential = object({
  id: credentialId,
  clientDataJSON: encoded(maxEncoded),
  authenticatorData: encoded(maxEncoded),
  signature: encoded(maxEncoded),
  userHandle: optional(encoded(200)),
})
