import assert from 'node:assert/strict'

export type Look = { status: number; location: string | null; text: string }

/** A payer without JavaScript: follows the page's own forms and nothing else. */
export function createPayer(redirectUrl: string) {
  const look = async (path = '', init: RequestInit = {}): Promise<Look> => {
    const answer = await fetch(redirectUrl + path, { redirect: 'manual', ...init })
    return { status: answer.status, location: answer.headers.get('location'), text: await answer.text() }
  }
  const post = (path: string, fields: Record<string, string>) =>
    look(path, { method: 'POST', body: new URLSearchParams(fields) })

  const formToken = async () => {
    const { text } = await look()
    const [, token] = /name="formToken" value="([^"]+)"/.exec(text) ?? []
    assert.ok(token, 'the page has no form to pay with')
    return token
  }

  return {
    look,
    pay: async (provider: string, phone: string) =>
      post('', { provider, phone, formToken: await formToken() }),
    cancel: async () => post('/cancel', { formToken: await formToken() }),
    formToken,
    post,
    status: async () => JSON.parse((await look('/status')).text).status as 'waiting' | 'done',
  }
}
