import assert from 'node:assert/strict'

/** Opens a link's page without JavaScript and submits its form. Returns the response. */
export async function sendForm(
  url: string,
  entries: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<Response> {
  const page = await (await fetch(url, { headers })).text()
  const [, formToken] = /name="formToken" value="([^"]+)"/.exec(page) ?? []
  assert.ok(formToken, `the page has no form: ${page.replaceAll(/<[^>]*>/g, ' ').slice(-300)}`)
  return fetch(url, {
    method: 'POST',
    headers,
    redirect: 'manual',
    body: new URLSearchParams({ formToken, ...entries }),
  })
}

/** Submits valid entries, and returns the URL of the session's page. */
export async function openFrom(url: string, entries: Record<string, string> = {}): Promise<string> {
  const answer = await sendForm(url, entries)
  const location = answer.headers.get('location')
  assert.ok(answer.status === 303 && location, `${answer.status}: ${await answer.text()}`)
  return new URL(location, url).href
}
