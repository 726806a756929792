import { createHmac } from 'node:crypto'

const prefix = 'whsec_'
const minKeyBytes = 24
const maxKeyBytes = 64

/** The `webhook-signature` of Standard Webhooks: HMAC-SHA256 of id, Unix seconds and body. */
export function signHs256(key: Buffer, id: string, timestamp: number, body: string): string {
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}

/** The key in a secret: `whsec_` and 24 to 64 bytes in base64; `undefined` when the text is none. */
export function readSecret(text: string): Buffer | undefined {
  if (!text.startsWith(prefix)) return undefined
  const base64 = text.slice(prefix.length)
  const key = Buffer.from(base64, 'base64')
  const isWhole = key.toString('base64') === base64
  return isWhole && key.length >= minKeyBytes && key.length <= maxKeyBytes ? key : undefined
}
