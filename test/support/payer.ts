import assert from 'node:assert/strict'

export type PageView = { status: number; location: string | null; text: string; headers: Headers }

export type Account = { phone?: string; accountNumber?: string; walletId?: string }

/** Returns the text of a page, for a test's error message. */
export const wordsOf = (html: string) =>
  html
    .replace(/^.*<body[^>]*>/s, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .slice(0, 300)

/** Creates a payer without JavaScript, who only submits the page's own forms. */
export function createPayer(redirectUrl: string, headers: Record<string, string> = {}) {
  const look = async (path = '', init: RequestInit = {}): Promise<PageView> => {
    const answer = await fetch(redirectUrl + path, { redirect: 'manual', headers, ...init })
    return {
      status: answer.status,
      location: answer.headers.get('location'),
      text: await answer.text(),
      headers: answer.headers,
    }
  }
  const post = (path: string, fields: Record<string, string>) =>
    look(path, { method: 'POST', body: new URLSearchParams(fields) })

  const formToken = async () => {
    const { status, text } = await look()
    const [, token] = /name="formToken" value="([^"]+)"/.exec(text) ?? []
    assert.ok(token, `the page has no payment form: ${status} ${wordsOf(text)}`)
    return token
  }

  /** Starts another attempt while one is in flight, with the form behind "Use another number". */
  const another = async (provider: string, account: string | Account = {}) => {
    const { status, text } = await look('/another')
    const hidden = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(text)?.[1]
    const [token, supersedes] = [hidden('formToken'), hidden('supersedes')]
    assert.ok(token && supersedes, `the page has no form: ${status} ${wordsOf(text)}`)
    return post('', {
      ...{ provider, formToken: token, supersedes },
      ...(typeof account === 'string' ? { phone: account } : account),
    })
  }

  return {
    look,
    another,
    /** Pays with a phone number or with the account field of the provider; a card needs neither. */
    pay: async (provider: string, account: string | Account = {}) =>
      post('', {
        provider,
        ...(typeof account === 'string' ? { phone: account } : account),
        formToken: await formToken(),
      }),
    /** Submits the rail's page, and follows its redirect. */
    answer: async (railPage: string, fields: Record<string, string>): Promise<PageView> => {
      const answer = await fetch(railPage, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams(fields),
      })
      assert.equal(answer.status, 303)
      return look(answer.headers.get('location')!.slice(redirectUrl.length))
    },
    cancel: async () => post('/cancel', { formToken: await formToken() }),
    formToken,
    post,
    status: async () => JSON.parse((await look('/status')).text).status as 'waiting' | 'done',
  }
}
