import { commonFields, paceFields, secret } from '@pesewa/connector-kit'
import type Type from 'typebox'
import type { Static } from 'typebox'

/** The fields of a connection. Replace: what the rail needs in addition to a base URL. */
export const exampleRailFields = {
  ...commonFields,
  ...paceFields,
  /** The key that authenticates our requests. */
  apiKey: secret,
}

export type ExampleRailConnection = Readonly<Static<Type.TObject<typeof exampleRailFields>>>

export type ExampleRailSettings = Pick<ExampleRailConnection, 'baseUrl' | 'apiKey'> & {
  /** Time limit for each message. */
  timeoutMs: number
}
