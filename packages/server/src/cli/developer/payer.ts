import { setTimeout as pause } from 'node:timers/promises'
import { fieldsOf } from '@pesewa/values'
import { CommandError } from '../command.ts'
import { shortReason } from './connection.ts'

/**
 * Submits the form on a payment page, as a browser without JavaScript does. Returns the URL to which the page
 * redirects.
 *
 * @throws CommandError if the form was not accepted
 */
export async function postForm(
  pageUrl: string,
  path: string,
  fields: Record<string, string>,
): Promise<string> {
  const page = await visit(pageUrl)
  const [, formToken] = /name="formToken" value="([^"]+)"/.exec(page.text) ?? []
  if (!formToken) throw new CommandError(`${pageUrl} returned ${page.status} without a payment form.`)
  const { status, location } = await visit(
    pageUrl + path,
    'application/x-www-form-urlencoded',
    new URLSearchParams({ ...fields, formToken }).toString(),
  )
  if (status !== 303 || location === undefined)
    throw new CommandError(`${pageUrl} returned ${status}: the form was not accepted.`)
  return new URL(location, pageUrl).href
}

/** How a simulated handset answers payment prompts, and the prompts that are waiting for an answer. */
type HandsetState = { mode: 'approve' | 'ask'; prompts: { reference: string }[] }

const promptLimitMs = 15_000
const pollEveryMs = 250

/**
 * Runs `ring`, which sends a payment prompt to a simulated handset. If the handset is set to ask, approves the
 * prompt. Returns whether a prompt was approved. If the simulator is unreachable, the owner of the handset has
 * to approve the prompt.
 */
export async function approvePromptOn(
  url: string,
  number: string,
  ring: () => Promise<void>,
): Promise<boolean> {
  const before = await readHandset(url, number)
  await ring()
  if (before?.mode !== 'ask') return false
  const earlier = before.prompts.map(({ reference }) => reference)
  const limit = performance.now() + promptLimitMs
  for (;;) {
    const { prompts = [] } = (await readHandset(url, number)) ?? {}
    const prompt = prompts.find(({ reference }) => !earlier.includes(reference))
    if (prompt) {
      await postHandset(url, 'answer', { number, reference: prompt.reference, answer: 'approve' })
      return true
    }
    if (performance.now() > limit)
      throw new CommandError(
        `The handset ${number} is set to ask for approval (see ${url}/simulator), but received no prompt within ${promptLimitMs / 1_000} s. Is a node running background jobs (serve --work)?`,
      )
    await pause(pollEveryMs)
  }
}

async function readHandset(url: string, number: string): Promise<HandsetState | undefined> {
  const { status, text } = await postHandset(url, 'state', { numbers: [number] })
  if (status !== 200) return undefined
  const { handsets }: { handsets: HandsetState[] } = JSON.parse(text)
  return handsets[0]
}

const postHandset = (url: string, action: string, body: object) =>
  visit(`${url}/simulator/handsets/${action}`, 'application/json', JSON.stringify(body))

type Handset = { providerId: string; number: string; code: string }

/** Dials a code on a simulated handset, and enters the answers one after another. */
export async function dial(url: string, handset: Handset, ...answers: string[]): Promise<void> {
  const address = `${url}/simulator/handsets/dial`
  let sessionId: string | undefined
  for (let entered = 0; entered <= answers.length; entered++) {
    const step = { ...handset, inputs: answers.slice(0, entered), ...(sessionId && { sessionId }) }
    const { status, text } = await visit(address, 'application/json', JSON.stringify(step))
    if (status !== 200) throw new CommandError(`${address} returned ${status}: the request was not accepted.`)
    sessionId = String(fieldsOf(JSON.parse(text)).sessionId)
  }
}

const limitMs = 15_000

type Visited = { status: number; text: string; location: string | undefined }

async function visit(url: string, type?: string, text?: string): Promise<Visited> {
  try {
    const response = await fetch(url, {
      method: text === undefined ? 'GET' : 'POST',
      headers: type === undefined ? {} : { 'content-type': type },
      body: text ?? null,
      redirect: 'manual',
      signal: AbortSignal.timeout(limitMs),
    })
    const location = response.headers.get('location') ?? undefined
    return { status: response.status, text: await response.text(), location }
  } catch (error) {
    throw new CommandError(`${url} is not responding: ${shortReason(error)}.`)
  }
}
