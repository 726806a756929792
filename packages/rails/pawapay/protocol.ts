import { createPrivateKey, type KeyObject } from 'node:crypto'
import {
  nameIn,
  originFault,
  type Protocol,
  type Provider,
  pageFault,
  simulatedTimeoutMs,
} from '@pesewa/connector-kit'
import { publicKeyOf } from './callback-keys.ts'
import { createPawapay } from './connector.ts'
import { algorithmsOf } from './message-signatures.ts'
import { type PawapayConnection, pawapayFields } from './settings.ts'
import { simulatorToken } from './test-credentials.ts'

/** pawaPay's Merchant API, version 2. */
export const pawapay: Protocol<PawapayConnection> = {
  name: 'pawapay',
  fields: pawapayFields,
  findIssue: (connection, provider) =>
    nameIn(pawapay.name, provider) === undefined
      ? `reachedBy does not contain pawaPay's name for ${provider.providerId}`
      : (pageFault(connection) ??
        originFault('statementOrigin', connection.statementOrigin) ??
        wayFault(connection, provider) ??
        keyFault(connection)),
  connect({ signingKey, signingKeyId: keyId, ...connection }, provider, peer) {
    const key = signingKey === undefined ? undefined : privateKeyOf(signingKey)
    const settings = {
      ...connection,
      name: nameIn(pawapay.name, provider) ?? provider.providerId,
      isRedirect: hasScheme(provider, 'redirect'),
      isPreauth: hasScheme(provider, 'preauth'),
      signer: key && keyId !== undefined ? { key, keyId } : undefined,
    }
    return createPawapay(settings, peer)
  },
  testConnection: (provider, { simulatorUrl, baseUrl, seals }) => ({
    baseUrl: `${simulatorUrl}/${pawapay.name}/${provider.providerId}`,
    token: simulatorToken(seals),
    pageOrigin: new URL(baseUrl).origin,
    statementOrigin: new URL(baseUrl).origin,
    timeoutMs: simulatedTimeoutMs,
    missingAfterMs: 0,
    // Only callbacks about providers with the `redirect` scheme are authenticated. Callbacks about other
    // providers are hints, so that the simulator covers both cases.
    ...(hasScheme(provider, 'redirect') && { callbackKeys: 'published' as const }),
  }),
  callFields: [
    'pageOrigin',
    'statementOrigin',
    'callbackKeys',
    'signingKey',
    'signingKeyId',
    'missingAfterMs',
  ],
  conformance: {
    provesReports: ({ callbackKeys }) => callbackKeys !== undefined,
    simulatedProof: { callbackKeys: 'published' },
  },
}

const hasScheme = ({ featureSet }: Provider, scheme: 'redirect' | 'preauth') =>
  featureSet.payment.schemes.includes(scheme)

const wayFault = ({ pageOrigin }: PawapayConnection, provider: Provider) =>
  hasScheme(provider, 'redirect') && pageOrigin === undefined
    ? `pageOrigin is missing; payers of ${provider.providerId} authorize on a page`
    : undefined

function keyFault({ signingKey, signingKeyId, callbackKeys }: PawapayConnection): string | undefined {
  if ((signingKey === undefined) !== (signingKeyId === undefined))
    return 'signingKey and signingKeyId must be set together'
  if (signingKey !== undefined && privateKeyOf(signingKey) === undefined)
    return 'signingKey must be a private key in PEM format: EC P-256, EC P-384 or RSA'
  const pems = typeof callbackKeys === 'object' ? Object.values(callbackKeys) : []
  const isUsable = (pem: string) => {
    const key = publicKeyOf(pem)
    return key !== undefined && algorithmsOf(key).length > 0
  }
  return pems.every(isUsable)
    ? undefined
    : 'callbackKeys must be public keys in PEM format: EC P-256, EC P-384 or RSA'
}

/** Parses a private key. Returns `undefined` if pawaPay does not support signatures with this key. */
function privateKeyOf(pem: string): KeyObject | undefined {
  try {
    const key = createPrivateKey(pem)
    return algorithmsOf(key).length > 0 ? key : undefined
  } catch {
    return undefined
  }
}
