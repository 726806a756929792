import { randomUUID } from 'node:crypto'

/** Access to the Space that owns the webhooks. */
export type Owner = { origin: string; token: string; spaceId: string }

/** Registers a webhook for checkout session events at each of these URLs; returns a function that removes them. */
export async function registerWebhooks({ origin, token, spaceId }: Owner, urls: string[]) {
  const call = async (method: string, path: string, body?: object) => {
    const answer = await fetch(origin + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'service-space-id': spaceId,
        ...(body && { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
      },
      body: body ? JSON.stringify(body) : null,
    })
    if (!answer.ok) throw new Error(`${method} ${path} returned ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as { result: { id: string } }
  }
  const ids: string[] = []
  for (const [i, url] of urls.entries()) {
    const body = { name: `Endpoint ${i}`, url, events: ['checkout_session.*'] }
    ids.push((await call('POST', '/v1/webhooks', body)).result.id)
  }
  return async () => {
    for (const id of ids) await call('DELETE', `/v1/webhooks/${id}`)
  }
}
