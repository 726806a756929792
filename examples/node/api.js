const { PESEWA_BASE_URL, PESEWA_TOKEN, PESEWA_SPACE } = process.env

/**
 * Calls the API. A POST has an idempotency key, so it can be sent again if there was no response, and is never
 * carried out twice.
 */
export async function call(method, path, key, body, tries = 3) {
  const response = await fetch(PESEWA_BASE_URL + path, {
    method,
    headers: {
      authorization: `Bearer ${PESEWA_TOKEN}`,
      'service-space-id': PESEWA_SPACE,
      ...(body && { 'content-type': 'application/json', 'idempotency-key': key }),
    },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(10_000),
  }).catch((error) => ({ ok: false, status: 0, error }))
  if (response.ok) return (await response.json()).result
  if (tries > 1 && (response.status === 0 || response.status === 429 || response.status >= 500)) {
    await new Promise((resolve) => setTimeout(resolve, 1_000 + Math.random() * 1_000))
    return call(method, path, key, body, tries - 1)
  }
  throw response.error ?? new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
}
