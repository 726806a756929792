import { commonFields, paceFields, secret, simulatedTimeoutMs, type TestPlace } from '@pesewa/connector-kit'
import Type, { type Static } from 'typebox'
import { railKey } from './test-keys.ts'

/** The fields of a connection to the REST rail or to its variant for acquirers. */
export const railFields = {
  ...commonFields,
  /** The key that authenticates our requests. */
  key: secret,
  /**
   * Origin of the rail's pages, if it differs from that of its API. Payers are never redirected to another
   * origin.
   */
  pageOrigin: Type.Optional(Type.String({ maxLength: 255 })),
}

export type RestRailConnection = Readonly<Static<Type.TObject<typeof railFields>>>
export type RailSettings = Required<Pick<RestRailConnection, 'baseUrl' | 'key' | 'pageOrigin' | 'timeoutMs'>>

/**
 * `push`: the provider asks the payer directly. `redirect`: the payer authorizes the payment on the provider's
 * own page.
 */
export const flows = ['push', 'redirect'] as const
export type Flow = (typeof flows)[number]

/** The fields of a connection to a bank or wallet. */
export const restFields = {
  ...railFields,
  ...paceFields,
  flow: Type.Optional(Type.Enum(flows)),
  /**
   * The key with which the rail signs its reports. Without it, no report is trusted. Because a signed report is
   * enough for money to be booked, the key has to be as long as the signature.
   */
  callbackKey: Type.Optional(Type.String({ pattern: '^[\\x21-\\x7e]{32,200}$' })),
  /** Set to `false` if the rail never reports amounts. */
  statesAmounts: Type.Optional(Type.Boolean()),
}

export type RestConnection = Readonly<Static<Type.TObject<typeof restFields>>>
export type RestSettings = RailSettings & { flow: Flow } & Pick<
    RestConnection,
    'callbackKey' | 'statesAmounts'
  >

export function settingsOf(connection: RestRailConnection & { timeoutMs: number }): RailSettings {
  const { baseUrl, key, pageOrigin = new URL(baseUrl).origin, timeoutMs } = connection
  return { baseUrl, key, pageOrigin, timeoutMs }
}

/**
 * Returns the common fields of a connection to a simulated rail.
 *
 * @param path the path of the rail, relative to the simulator's URL
 */
export const simulatedRail = ({ simulatorUrl, baseUrl, seals }: TestPlace, path: string) => ({
  baseUrl: `${simulatorUrl}/${path}`,
  key: railKey(seals),
  pageOrigin: new URL(baseUrl).origin,
  timeoutMs: simulatedTimeoutMs,
})
