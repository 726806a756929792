import { request } from 'undici'
import { reasonOf } from './api-client.ts'
import { CommandError } from './command-error.ts'

/** Fills in the payment page's own form, as a payer without JavaScript does. Answers when it was taken. */
export async function postForm(pageUrl: string, path: string, fields: Record<string, string>): Promise<void> {
  const page = await visit(pageUrl)
  const [, formToken] = /name="formToken" value="([^"]+)"/.exec(page.text) ?? []
  if (!formToken) throw new CommandError(`${pageUrl} answers ${page.status} and shows no form to pay with.`)
  const { status } = await visit(
    pageUrl + path,
    'application/x-www-form-urlencoded',
    new URLSearchParams({ ...fields, formToken }).toString(),
  )
  if (status !== 303) throw new CommandError(`${pageUrl} answers ${status}: it does not take that.`)
}

type Handset = { providerId: string; number: string; code: string }

/** Dials on a simulated handset, and answers the menus. */
export async function dial(url: string, handset: Handset, ...answers: string[]): Promise<void> {
  const address = `${url}/simulator/handsets/dial`
  let sessionId: string | undefined
  for (let entered = 0; entered <= answers.length; entered++) {
    const step = { ...handset, inputs: answers.slice(0, entered), ...(sessionId && { sessionId }) }
    const { status, text } = await visit(address, 'application/json', JSON.stringify(step))
    if (status !== 200) throw new CommandError(`${address} answers ${status}: it does not take that.`)
    sessionId = (JSON.parse(text) as { sessionId: string }).sessionId
  }
}

const limitMs = 15_000

async function visit(url: string, type?: string, given?: string): Promise<{ status: number; text: string }> {
  try {
    const { statusCode, body } = await request(url, {
      method: given === undefined ? 'GET' : 'POST',
      headers: type === undefined ? {} : { 'content-type': type },
      body: given ?? null,
      signal: AbortSignal.timeout(limitMs),
    })
    return { status: statusCode, text: await body.text() }
  } catch (error) {
    throw new CommandError(`${url} does not answer: ${reasonOf(error)}.`)
  }
}
