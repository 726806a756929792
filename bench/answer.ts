import type { Dispatcher } from 'undici'

/** Reads one response; succeeds if its status is 200 and it has the expected content. */
export class Answer implements Dispatcher.DispatchHandler {
  readonly #expected: string
  readonly #resolve: () => void
  readonly #reject: (error: Error) => void
  #status = 0
  #body: Buffer | undefined

  constructor(expected: string, resolve: () => void, reject: (error: Error) => void) {
    this.#expected = expected
    this.#resolve = resolve
    this.#reject = reject
  }

  onRequestStart(): void {}

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    this.#status = status
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#body = this.#body ? Buffer.concat([this.#body, chunk]) : chunk
  }

  onResponseEnd(): void {
    if (this.#status === 200 && this.#body?.includes(this.#expected)) this.#resolve()
    else
      this.#reject(
        new Error(`returned ${this.#status}: ${this.#body?.toString('utf8', 0, 300) ?? 'nothing'}`),
      )
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#reject(error)
  }
}
