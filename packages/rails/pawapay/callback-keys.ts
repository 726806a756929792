import { createPublicKey, type KeyObject } from 'node:crypto'
import type { OutboundAnswer, ReceivedReport } from '@pesewa/connector-kit'
import { hasFields } from '@pesewa/values'
import { createBackgroundCache } from './background-cache.ts'
import { isSignedBy, readSignatureInput } from './message-signatures.ts'
import type { CallbackProof } from './responses.ts'
import type { PawapayConnection } from './settings.ts'

type CallbackKeys = ReadonlyMap<string, KeyObject>

/**
 * Returns a function that checks whether pawaPay sent a callback. Published keys are read in the background.
 * While they are not available, or if a callback refers to an unknown key, the callback is considered neither
 * authentic nor forged.
 *
 * @param readPublished reads the keys that pawaPay publishes
 */
export function createCallbackCheck(
  callbackKeys: PawapayConnection['callbackKeys'],
  readPublished: () => Promise<CallbackKeys | undefined>,
): (received: ReceivedReport) => CallbackProof {
  if (callbackKeys === undefined) return () => 'none'
  if (callbackKeys !== 'published') {
    const keys = keysOf(Object.entries(callbackKeys))
    return (received) => proofOf(received, keys) ?? 'invalid'
  }
  const published = createBackgroundCache(readPublished)
  return (received) => {
    const proof = proofOf(received, published.current() ?? new Map())
    if (proof === undefined) published.renew()
    return proof ?? 'none'
  }
}

/** Verifies a callback. Returns `undefined` if the callback refers to an unknown key. */
function proofOf(received: ReceivedReport, keys: CallbackKeys): CallbackProof | undefined {
  const { method, path, headers, rawBody: body, receivedAtMs } = received
  const input = readSignatureInput(headers['signature-input'])
  if (!input) return 'invalid'
  const key = keys.get(input.keyId)
  const request = { method, path, authority: headers.host ?? '', headers, body }
  return key && (isSignedBy(request, input, key, receivedAtMs) ? 'valid' : 'invalid')
}

const maxPublishedKeys = 20

/** Reads a list such as `[{"id": …, "key": "-----BEGIN PUBLIC KEY-----…"}]` and skips invalid keys. */
export function publishedKeysOf({ status, body }: OutboundAnswer): CallbackKeys | undefined {
  const list = status === 200 ? parseList(body) : []
  const keys = keysOf(
    list
      .slice(0, maxPublishedKeys)
      .flatMap((each) =>
        hasFields(each) && typeof each.id === 'string' && typeof each.key === 'string'
          ? [[each.id, each.key] as const]
          : [],
      ),
  )
  return keys.size > 0 ? keys : undefined
}

function parseList(body: string): unknown[] {
  try {
    const value: unknown = JSON.parse(body)
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}

const keysOf = (pems: (readonly [id: string, pem: string])[]): CallbackKeys =>
  new Map(
    pems.flatMap(([id, pem]) => {
      const key = publicKeyOf(pem)
      return key ? [[id, key] as const] : []
    }),
  )

/** Parses a public key in PEM format; returns `undefined` if the text is not such a key. */
export function publicKeyOf(pem: string): KeyObject | undefined {
  try {
    return createPublicKey(pem)
  } catch {
    return undefined
  }
}
