import { until } from './until.ts'

/** With which account somebody pays: its last three digits decide what becomes of it (the guide “The test environment” has them). */
export type TestPayer = {
  /** Of the provider: `m17`, `card`. */
  provider: string
  /** With mobile money: `076 123 456`. */
  phone?: string
  /** With a bank. */
  accountNumber?: string
  /** With a wallet. */
  walletId?: string
}

/** What a payer does on the page of a simulated bank or card. */
export type TestPageAnswer = {
  answer: 'approve' | 'decline' | 'cancel'
  /** With a card. */
  card?: 'visa' | 'mastercard' | 'verve'
  /** How it ends that was approved with a card: three digits, like `001`. */
  ending?: string
}

export type TestPayerOptions = {
  /** Banks and cards have a page of their own: it is approved where nothing else is said here. */
  page?: TestPageAnswer
  fetch?: typeof fetch
}

/**
 * Pays a checkout session of the test environment as its payer: fills in the page that the payer is sent to, as a browser without scripts
 * would, and returns when it is sent. What becomes of it comes by webhook, or by `until(…)`.
 *
 * @param session as it was created
 * @param payer who pays with what
 * @throws Error where the page cannot be paid, or refuses the payer
 */
export async function payAs(
  { redirectUrl }: { redirectUrl: string },
  payer: TestPayer,
  { page = { answer: 'approve' }, fetch: send = fetch }: TestPayerOptions = {},
): Promise<void> {
  const form = await (await send(redirectUrl)).text()
  const [, formToken] = /name="formToken" value="([^"]+)"/.exec(form) ?? []
  if (!formToken)
    throw new Error('The page of this session cannot be paid: it is over, or no provider takes it.')
  const body = new URLSearchParams({ ...payer, formToken })
  const response = await send(redirectUrl, { method: 'POST', body, redirect: 'manual' })
  if (response.status !== 303) throw new Error(`The page of this session refused ${JSON.stringify(payer)}.`)
  if (payer.phone === undefined && payer.walletId === undefined)
    await answerPage(redirectUrl, { card: 'visa', ...page }, send)
}

/** Follows the payer to the page of the bank, and back. */
async function answerPage(redirectUrl: string, page: TestPageAnswer, send: typeof fetch): Promise<void> {
  const leadTo = async (url: string, body?: URLSearchParams) => {
    const response = await send(url, { redirect: 'manual', ...(body && { method: 'POST', body }) })
    await response.text()
    return response.headers.get('location')
  }
  // It waits until the bank has said where its page is.
  const isAway = (url: string | null) => url !== null && !url.startsWith(redirectUrl)
  const pageUrl = await until(() => leadTo(`${redirectUrl}/wait`), isAway)
  const back = pageUrl && (await leadTo(pageUrl, new URLSearchParams(page)))
  if (!back) throw new Error(`The page of the provider refused ${JSON.stringify(page)}.`)
  await leadTo(back)
}
