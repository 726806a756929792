import { type UntilOptions, until } from './until.ts'

export type TestPhonePrompt = {
  reference: string
  /** Who asks: `Orange Money`. */
  network: string
  /** As the phone shows it: `Le 315.50`. */
  amount: string
  /** What for. */
  what: string
}

/** What a phone shows after a dial. */
export type TestScreen = {
  text: string
  /** Nothing more can be entered. */
  isEnd: boolean
}

export type TestPhoneOptions = {
  /** Where the service is, with its simulator on, as `npm start` has it. */
  baseUrl: string
  /** The id of its network: `m17`. */
  provider: string
  /** As people write it: `076 123 456`. */
  number: string
  fetch?: typeof fetch
}

/** A simulated phone of the test environment, to be held by a test: it asks before it pays, and it dials. */
export class TestPhone {
  readonly #options: TestPhoneOptions
  #number: Promise<string> | undefined
  #dialled: { code: string; sessionId: string; inputs: string[] } | undefined

  constructor(options: TestPhoneOptions) {
    this.#options = options
  }

  /** From now on it asks its holder before it pays. The last digits of some numbers decide before that. */
  async askMe(): Promise<void> {
    await this.#call('mode', { number: await this.#e164(), mode: 'ask' })
  }

  /** From now on it pays by itself, as it does at first. */
  async payByItself(): Promise<void> {
    await this.#call('mode', { number: await this.#e164(), mode: 'approve' })
  }

  /** What it is asked to pay at the moment, newest first. */
  async prompts(): Promise<TestPhonePrompt[]> {
    return (await this.#state()).prompts
  }

  /** What the network wrote, newest first: what was paid, or why it was not. */
  async messages(): Promise<string[]> {
    return (await this.#state()).notices.map(({ text }) => text)
  }

  /** Waits until it is asked to pay something, and does so. Returns what it was. */
  approve(options?: UntilOptions): Promise<TestPhonePrompt> {
    return this.#answer('approve', options)
  }

  /** Waits until it is asked to pay something, and declines. Returns what it was. */
  decline(options?: UntilOptions): Promise<TestPhonePrompt> {
    return this.#answer('decline', options)
  }

  /** @param code a payment code, or a one-time password, as it is dialled: `*715*5773920187#` */
  async dial(code: string): Promise<TestScreen> {
    this.#dialled = { code, sessionId: `ATUid_${crypto.randomUUID()}`, inputs: [] }
    return this.#step()
  }

  /** @param input what is entered in the menu that is shown: `1` */
  async enter(input: string): Promise<TestScreen> {
    if (!this.#dialled) throw new Error('Nothing was dialled, or its menu has ended.')
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
    if (!prompt) throw new Error('The phone is not asked to pay anything.')
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

  /** The simulator's page of phones does the same. */
  async #call<T>(what: string, body: object): Promise<T> {
    const { baseUrl, fetch: send = fetch } = this.#options
    const url = `${baseUrl.replace(/\/+$/, '')}/simulator/handsets/${what}`
    const headers = { 'content-type': 'application/json' }
    const post = () => send(url, { method: 'POST', headers, body: JSON.stringify(body) })
    // The page may do so many things a second.
    const response = await until(post, ({ status }) => status !== 429)
    const text = await response.text()
    if (response.ok) return JSON.parse(text) as T
    if (response.status === 404 && what !== 'answer')
      throw new Error('The service has no simulator: SIMULATOR=on, or npm start.')
    throw new Error(`The simulator refused: ${text}`)
  }
}
