import Type, { type Static } from 'typebox'
import { commonFields, isRailAddress, secret } from '../../connection-fields.ts'
import { simulatedTimeoutMs, type TestPlace } from '../../protocol.ts'
import type { RailSettings } from './settings.ts'
import { railKey } from './test-keys.ts'

/** Of a connection to the REST rail or to the acquirer's variant of it. */
export const railFields = {
  ...commonFields,
  key: secret,
  /** Where the rail's pages stand, when that is not where its messages go. */
  pageOrigin: Type.Optional(Type.String({ maxLength: 255 })),
}

export type RestRailConnection = Readonly<Static<Type.TObject<typeof railFields>>>

export function pageFault({ pageOrigin }: RestRailConnection): string | undefined {
  if (pageOrigin === undefined) return undefined
  return isRailAddress(pageOrigin) && URL.parse(pageOrigin)?.origin === pageOrigin
    ? undefined
    : 'pageOrigin must be an https origin, like https://pay.bank.example'
}

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
