import type { Answer } from './attempt.ts'

export type { Answer } from './attempt.ts'

/**
 * A pending call. Await it for the result, or use `withResponse()` to also get the status, headers and request
 * ID.
 */
export class Call<T> extends Promise<T> {
  readonly #answer: Promise<Answer<T>>

  constructor(answer: Promise<Answer<T>>) {
    // This promise itself never settles. All awaits share `#answer`, so an unhandled error is reported only once.
    super(() => {})
    this.#answer = answer
  }

  /** Makes `then`, `catch` and `finally` return plain promises. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise
  }

  withResponse(): Promise<Answer<T>> {
    return this.#answer
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise
  override then<A = T, B = never>(
    onResult?: ((data: T) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#answer.then(({ data }) => data).then(onResult, onError)
  }

  override catch<B = never>(onError?: ((error: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.then(undefined, onError)
  }

  override finally(onEnd?: (() => void) | null): Promise<T> {
    return this.#answer.then(({ data }) => data).finally(onEnd)
  }
}

export type Page<T> = { items: T[]; next: string | null }

/**
 * A list that is loaded on demand. No request is sent until you iterate over its rows with `for await`, read
 * one page with `page()`, or read a limited number of rows with `all()`.
 */
export class List<T> implements AsyncIterable<T> {
  readonly #load: (page: { after?: string; limit?: number }) => Promise<Page<T>>

  constructor(load: (page: { after?: string; limit?: number }) => Promise<Page<T>>) {
    this.#load = load
  }

  /**
   * Reads one page, by default the first.
   *
   * @param after the value of `next` from the previous page
   */
  page(after?: string | null): Promise<Page<T>> {
    return this.#load(after ? { after } : {})
  }

  /**
   * Reads as many pages as needed and returns their rows, at most `limit`, in one array. The limit is required,
   * because a long list may not fit in memory.
   */
  async all({ limit }: { limit: number }): Promise<T[]> {
    const rows: T[] = []
    if (limit <= 0) return rows
    for await (const row of this) if (rows.push(row) >= limit) break
    return rows
  }

  async *[Symbol.asyncIterator](): AsyncIterator<T> {
    let after: string | null = null
    do {
      const page: Page<T> = await this.page(after)
      yield* page.items
      after = page.next
    } while (after)
  }
}
