import type MiniSearch from 'minisearch'
import { openUnchanging, type SendText } from '../platform/http/unchanging.ts'
import type { SearchHit, Section } from './search/docs-index.js'
import type { Site } from './site.ts'

/** Longer questions are cut off. */
const maxQueryCharacters = 100 // limit: characters of a search of the documents

/** The search of a site. It is made when somebody first searches, and kept. */
export type SiteSearch = {
  /** With the query as far as it was looked for. */
  find(query: string): Promise<{ query: string; hits: SearchHit[] }>
  /** What browsers search for themselves. */
  file(): Promise<SendText>
}

export function openSearch(site: Pick<Site, 'sections'>): SiteSearch {
  const sections = once(() => site.sections())
  const index = once(async () => indexOf(await sections()))
  const file = once(async () =>
    openUnchanging(JSON.stringify(await sections()), 'application/json; charset=utf-8'),
  )
  return {
    async find(text) {
      const { search } = await import('./search/docs-index.js')
      const query = text.slice(0, maxQueryCharacters).trim()
      return { query, hits: query === '' ? [] : search(await index(), query) }
    },
    file,
  }
}

async function indexOf(sections: Section[]): Promise<MiniSearch<Section>> {
  const [{ default: library }, { newIndex }] = await Promise.all([
    import('minisearch'),
    import('./search/docs-index.js'),
  ])
  const index = newIndex(library)
  // In parts, so that a node goes on with its requests in between.
  await index.addAllAsync(sections, { chunkSize: 20 })
  return index
}

/** What failed is tried again by the next who asks. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    })
    return made
  }
}
