import Type, { type Static } from 'typebox'
import { commonFields, paceFields, secret } from '../../connection-fields.ts'
import { simulatedTimeoutMs, type TestPlace } from '../../protocol.ts'
import { railKey } from './test-keys.ts'

/** Of a connection to the REST rail or to the acquirer's variant of it. */
export const railFields = {
  ...commonFields,
  /** What we prove ourselves with. */
  key: secret,
  /** Where the rail's pages stand, when that is not where its messages go: a payer is sent to no other origin. */
  pageOrigin: Type.Optional(Type.String({ maxLength: 255 })),
}

export type RestRailConnection = Readonly<Static<Type.TObject<typeof railFields>>>
export type RailSettings = Required<Pick<RestRailConnection, 'baseUrl' | 'key' | 'pageOrigin' | 'timeoutMs'>>

/** `push`: the provider asks the payer itself. `redirect`: the payer authorises on the provider's own page. */
export const flows = ['push', 'redirect'] as const
export type Flow = (typeof flows)[number]

/** Of a connection to a bank or wallet. */
export const restFields = {
  ...railFields,
  ...paceFields,
  flow: Type.Optional(Type.Enum(flows)),
  /**
   * With which the rail signs its reports; without it none is believed. Money is booked on its word alone: it is as long
   * as what it proves.
   */
  callbackKey: Type.Optional(Type.String({ pattern: '^[\\x21-\\x7e]{32,200}$' })),
  /** `false`: the rail never says how much moved. */
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

/** @param path of the rail, below the simulator's address */
export const simulatedRail = ({ simulatorUrl, baseUrl, seals }: TestPlace, path: string) => ({
  baseUrl: `${simulatorUrl}/${path}`,
  key: railKey(seals),
  pageOrigin: new URL(baseUrl).origin,
  timeoutMs: simulatedTimeoutMs,
})
