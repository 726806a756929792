import { type UntilOptions, until } from './until.ts'

export type TestPhonePrompt = {
  reference: string
  /** Network that sent the prompt, such as `Orange Money`. */
  network: string
  /** Amount as shown on the phone, such as `Le 315.50`. */
  amount: string
  /** Purpose of the payment. */
  what: string
}

/** What the phone shows after dialling. */
export type TestScreen = {
  text: string
  /** True if the session has ended and no more input is expected. */
  isEnd: boolean
}

export type TestPhoneOptions = {
  /** URL of a service that has the simulator turned on, such as one started with `npm start`. */
  baseUrl: string
  /** Provider ID of the phone's network, such as `m17`. */
  provider: string
  /** Phone number in local format, such as `076 123 456`. */
  number: string
  fetch?: typeof fetch
}

/**
 * A simulated phone in the test environment. A test can answer its payment prompts, read its messages and dial
 * codes on it.
 */
export class TestPhone {
  readonly #options: TestPhoneOptions
  #number: Promise<string> | undefined
  #dialled: { code: string; sessionId: string; inputs: string[] } | undefined

  constructor(options: TestPhoneOptions) {
    this.#options = options
  }

  /**
   * Makes the phone show prompts from now on, instead of approving payments automatically. The last digits of
   * some numbers still determine the outcome.
   */
  async askMe(): Promise<void> {
    await this.#call('mode', { number: await this.#e164(), mode: 'ask' })
  }

  /** Makes the phone approve payments automatically from now on, which is the default. */
  async payByItself(): Promise<void> {
    await this.#call('mode', { number: await this.#e164(), mode: 'approve' })
  }

  /** Returns the prompts that have not been answered, newest first. */
  async prompts(): Promise<TestPhonePrompt[]> {
    return (await this.#state()).prompts
  }

  /** Returns the network's text messages, newest first, such as payment confirmations and failure notices. */
  async messages(): Promise<string[]> {
    return (await this.#state()).notices.map(({ text }) => text)
  }

  /** Approves the oldest open prompt, and returns it. Waits for a prompt if there is none. */
  approve(options?: UntilOptions): Promise<TestPhonePrompt> {
    return this.#answer('approve', options)
  }

  /** Declines the oldest open prompt, and returns it. Waits for a prompt if there is none. */
  decline(options?: UntilOptions): Promise<TestPhonePrompt> {
    return this.#answer('decline', options)
  }

  /**
   * Dials a code and returns what the phone shows.
   *
   * @param code a payment code or one-time password, as a payer dials it: `*715*5773920187#`
   */
  async dial(code: string): Promise<TestScreen> {
    this.#dialled = { code, sessionId: `ATUid_${crypto.randomUUID()}`, inputs: [] }
    return this.#step()
  }

  /**
   * Enters a choice in the open menu and returns what the phone shows next.
   *
   * @param input a choice from the current menu, such as `1`
   */
  async enter(input: string): Promise<TestScreen> {
    if (!this.#dialled) throw new Error('No menu is open. Call dial() first.')
    this.#dialled.inputs.push(input)
    return this.#step()
  }

  async #step(): Promise<TestScreen> {
    const { provider: providerId } = this.#options
    const step = { providerId, number: await this.#e164(), ...this.#dialled }
    const { text, isEnd } = await this.#call<TestScreen>('dial', step)
    if (isEnd) this.#dialled = undefined
    return { text, isEnd }
  }

  async #answer(answer: 'approve' | 'decline', options?: UntilOptions): Promise<TestPhonePrompt> {
    const prompt = (
      await until(
        () => this.prompts(),
        (prompts) => prompts.length > 0,
        options,
      )
    ).at(-1)
    if (!prompt) throw new Error('The phone shows no prompt.')
    await this.#call('answer', { number: await this.#e164(), reference: prompt.reference, answer })
    return prompt
  }

  async #state(): Promise<{ prompts: TestPhonePrompt[]; notices: { text: string }[] }> {
    const numbers = [await this.#e164()]
    const { handsets } = await this.#call<{
      handsets: { prompts: TestPhonePrompt[]; notices: { text: string }[] }[]
    }>('state', { numbers })
    return handsets[0] ?? { prompts: [], notices: [] }
  }

  #e164(): Promise<string> {
    const { provider: providerId, number } = this.#options
    this.#number ??= this.#call<{ number: string }>('phones', { providerId, number }).then(
      (phone) => phone.number,
    )
    return this.#number
  }

  /** Calls a route of the simulator's phone page. */
  async #call<T>(what: string, body: object): Promise<T> {
    const { baseUrl, fetch: send = fetch } = this.#options
    const url = `${baseUrl.replace(/\/+$/, '')}/simulator/handsets/${what}`
    const headers = { 'content-type': 'application/json' }
    const post = () => send(url, { method: 'POST', headers, body: JSON.stringify(body) })
    // The simulator limits the rate of these calls, so a call refused with 429 is repeated.
    const response = await until(post, ({ status }) => status !== 429)
    const text = await response.text()
    if (response.ok) return JSON.parse(text) as T
    if (response.status === 404 && what !== 'answer')
      throw new Error('The service has no simulator. Start the service with SIMULATOR=on or npm start.')
    throw new Error(`The simulator refused the request: ${text}`)
  }
}
