import type { Answer } from './attempt.ts'

export type { Answer } from './attempt.ts'

/** A call under way: awaited, its result; `withResponse()`, also the status, the headers and the request's id. */
export class Call<T> extends Promise<T> {
  readonly #answer: Promise<Answer<T>>

  constructor(answer: Promise<Answer<T>>) {
    // What is awaited is derived from the answer, each time: a refusal that nobody looks at is reported once.
    super(() => {})
    this.#answer = answer
  }

  /** What derives from it is a plain promise. */
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

/** A list: its rows one by one by `for await`, a page by `page()`, so many rows by `all()`. Nothing is sent before. */
export class List<T> implements AsyncIterable<T> {
  readonly #load: (page: { after?: string; limit?: number }) => Promise<Page<T>>

  constructor(load: (page: { after?: string; limit?: number }) => Promise<Page<T>>) {
    this.#load = load
  }

  /** @param after `next` of the page before */
  page(after?: string | null): Promise<Page<T>> {
    return this.#load(after ? { after } : {})
  }

  /** At most `limit` rows, in one array: lists can be longer than a machine’s memory. */
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
