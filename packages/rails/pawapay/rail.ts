import {
  type Fence,
  moneyIn,
  msisdnOf,
  type OutboundAnswer,
  openClient,
  parseFields,
  type RailBalance,
  type UnknownOutcome,
  unknown,
} from '@pesewa/connector-kit'
import { fieldsOf } from '@pesewa/values'
import type { Agent } from 'undici'
import { type PawapayOperation, readActiveConf } from './active-conf.ts'
import { createBackgroundCache } from './background-cache.ts'
import { publishedKeysOf } from './callback-keys.ts'
import { type RequestSigner, signRequest } from './message-signatures.ts'
import type { PawapayConnection } from './settings.ts'

export type PawapaySettings = Pick<
  PawapayConnection,
  'baseUrl' | 'token' | 'pageOrigin' | 'statementOrigin' | 'callbackKeys' | 'missingAfterMs'
> & {
  /** pawaPay's name for the provider, such as `ORANGE_SLE`. */
  name: string
  /** Set if payers authorize payments on a page. */
  isRedirect: boolean
  /** Set if payers have to create a code and give it to us before anything is submitted. */
  isPreauth: boolean
  signer: RequestSigner | undefined
  /** Time limit for each message. */
  timeoutMs: number
}

/** Opens pawaPay's API for one provider, using our account. */
export function openPawapay(settings: PawapaySettings, peer: Agent) {
  const { baseUrl, token, name, signer, timeoutMs } = settings
  const { call } = openClient(peer, {
    baseUrl,
    timeoutMs,
    headers: () => ({ authorization: `Bearer ${token}` }),
  })
  const get = <T>(path: string, read: (response: OutboundAnswer) => T) => call({ method: 'GET', path }, read)
  const post = <T>(
    path: string,
    message: object,
    read: (response: OutboundAnswer) => T,
    mayLeave?: Fence,
  ) => {
    const body = JSON.stringify(message)
    const headers = signer ? signRequest(signer, { method: 'POST', url: `${baseUrl}${path}`, body }) : {}
    return call({ method: 'POST', path, headers, body, mayLeave }, read)
  }
  const [country = ''] = /[A-Z]{3}$/.exec(name) ?? []
  return {
    get,
    post,
    confOf: (operation: PawapayOperation) =>
      createBackgroundCache(async () => {
        const path = `/v2/active-conf?country=${country}&operationType=${operation}`
        const conf = await get(path, (response) => readActiveConf(response, name, operation))
        return conf instanceof Map ? conf : undefined
      }),
    readCallbackKeys: async () => {
      const keys = await get('/v2/public-key/http', publishedKeysOf)
      return keys instanceof Map ? keys : undefined
    },
    balances: () => get('/v2/wallet-balances', balancesOf),
    predict: async (phone: string) => {
      const predicted = await post('/v2/predict-provider', { phoneNumber: msisdnOf(phone) }, predictionOf)
      return typeof predicted === 'string' ? predicted : undefined
    },
  }
}

function predictionOf({ status, body }: OutboundAnswer): string | undefined {
  const { provider } = parseFields(body) ?? {}
  return status === 200 && typeof provider === 'string' && /^[A-Z][A-Z0-9_]{1,63}$/.test(provider)
    ? provider
    : undefined
}

/** Reads the balances of our wallets. Each wallet belongs to a country or to a provider in a country. */
function balancesOf({ status, body }: OutboundAnswer): RailBalance[] | UnknownOutcome {
  const { balances } = parseFields(body) ?? {}
  if (status !== 200 || !Array.isArray(balances)) return unknown(`${status}`)
  const read = balances.map((each): RailBalance | undefined => {
    const { country, provider, currency: stated, balance } = fieldsOf(each)
    const { amount, currency } = moneyIn({ amount: balance, currency: stated })
    if (typeof country !== 'string' || currency === undefined || amount === undefined) return undefined
    return { name: typeof provider === 'string' ? `${country} ${provider}` : country, currency, amount }
  })
  return read.every((each) => each !== undefined) ? read : unknown('the response has an unreadable balance')
}
