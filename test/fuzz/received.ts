import type { ReceivedReport } from '@pesewa/connector-kit'

/** Returns a report sent to a payment's callback URL, as the program passes it to a connector. */
export const receivedBy = (rawBody: Buffer, more: Partial<ReceivedReport> = {}): ReceivedReport => ({
  method: 'POST',
  path: '/callbacks/payments/c2VhbGVk.tag',
  headers: {},
  address: '127.0.0.1',
  rawBody,
  fields: fieldsIn(rawBody),
  ...more,
})

function fieldsIn(rawBody: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(rawBody.toString())
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? { ...value } : undefined
  } catch {
    return undefined
  }
}
