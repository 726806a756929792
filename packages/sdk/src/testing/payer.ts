import { until } from './until.ts'

/**
 * Account of a simulated payer. Its last three digits determine the outcome; see the guide “The test
 * environment”.
 */
export type TestPayer = {
  /** Provider ID, such as `m17` or `card`. */
  provider: string
  /** Phone number, such as `076 123 456`. For mobile money only. */
  phone?: string
  /** Account number. For banks only. */
  accountNumber?: string
  /** Wallet ID. For wallets only. */
  walletId?: string
}

/** The payer's choices on the page of a simulated bank or card acquirer. */
export type TestPageAnswer = {
  answer: 'approve' | 'decline' | 'cancel'
  /** Card scheme. For cards only. */
  card?: 'visa' | 'mastercard' | 'verve'
  /** Three digits, such as `001`, that determine the outcome after the payer approves a card payment. */
  ending?: string
}

export type TestPayerOptions = {
  /** The payer's choices on the page of a bank or card acquirer. Default: approve. */
  page?: TestPageAnswer
  fetch?: typeof fetch
}

/**
 * Pays a checkout session in the test environment. Submits the checkout page like a browser without JavaScript,
 * and returns without waiting for the outcome. To get the outcome, use a webhook or `until(…)`.
 *
 * @param session the session, as returned when it was created
 * @param payer the payer's account
 * @throws Error if the session cannot be paid or the page refuses the payer
 */
export async function payAs(
  { redirectUrl }: { redirectUrl: string },
  payer: TestPayer,
  { page = { answer: 'approve' }, fetch: send = fetch }: TestPayerOptions = {},
): Promise<void> {
  const form = await (await send(redirectUrl)).text()
  const [, formToken] = /name="formToken" value="([^"]+)"/.exec(form) ?? []
  if (!formToken) throw new Error('This session cannot be paid: it has ended, or it has no provider.')
  const body = new URLSearchParams({ ...payer, formToken })
  const response = await send(redirectUrl, { method: 'POST', body, redirect: 'manual' })
  if (response.status !== 303) throw new Error(`The checkout page refused ${JSON.stringify(payer)}.`)
  if (payer.phone === undefined && payer.walletId === undefined)
    await answerPage(redirectUrl, { card: 'visa', ...page }, send)
}

/** Opens the bank's page, submits the payer's choices and follows the redirect back. */
async function answerPage(redirectUrl: string, page: TestPageAnswer, send: typeof fetch): Promise<void> {
  const leadTo = async (url: string, body?: URLSearchParams) => {
    const response = await send(url, { redirect: 'manual', ...(body && { method: 'POST', body }) })
    await response.text()
    return response.headers.get('location')
  }
  // The waiting page redirects to the bank's page once the bank has returned its URL.
  const isAway = (url: string | null) => url !== null && !url.startsWith(redirectUrl)
  const pageUrl = await until(() => leadTo(`${redirectUrl}/wait`), isAway)
  const back = pageUrl && (await leadTo(pageUrl, new URLSearchParams(page)))
  if (!back) throw new Error(`The provider’s page refused ${JSON.stringify(page)}.`)
  await leadTo(back)
}
