import assert from 'node:assert/strict'

/** A visitor without JavaScript: opens a link's page and sends its form. Returns the response. */
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

/** The same where the entries are good: the address of the session's page. */
export async function openFrom(url: string, entries: Record<string, string> = {}): Promise<string> {
  const answer = await sendForm(url, entries)
  const location = answer.headers.get('location')
  assert.ok(answer.status === 303 && location, `${answer.status}: ${await answer.text()}`)
  return new URL(location, url).href
}
