import { request } from 'undici'
import { reasonOf } from './api-client.ts'
import { CommandError } from './command-error.ts'

/** Fills in the payment page's own form, as a payer without JavaScript does. Answers when it was taken. */
export async function postForm(pageUrl: string, path: string, fields: Record<string, string>): Promise<void> {
  const page = await visit(pageUrl)
  const [, formToken] = /name="formToken" value="([^"]+)"/.exec(page.text) ?? []
  if (!formToken) throw new CommandError(`${pageUrl} answers ${page.status} and shows no form to pay with.`)
  const { status } = await visit(pageUrl + path, new URLSearchParams({ ...fields, formToken }))
  if (status !== 303) throw new CommandError(`${pageUrl} answers ${status}: it does not take that.`)
}

const limitMs = 15_000

async function visit(url: string, form?: URLSearchParams): Promise<{ status: number; text: string }> {
  try {
    const { statusCode, body } = await request(url, {
      method: form ? 'POST' : 'GET',
      headers: form ? { 'content-type': 'application/x-www-form-urlencoded' } : {},
      body: form ? form.toString() : null,
      signal: AbortSignal.timeout(limitMs),
    })
    return { status: statusCode, text: await body.text() }
  } catch (error) {
    throw new CommandError(`${url} does not answer: ${reasonOf(error)}.`)
  }
}
