import type MiniSearch from 'minisearch'
import type { SearchHit, Section } from './search/docs-index.js'
import type { Site } from './site.ts'

/** Longer queries are truncated. */
const maxQueryCharacters = 100

/** The search of a site. It is built on first use. */
export type SiteSearch = {
  /** Returns the results, and the query, which is truncated if it is too long. */
  find(query: string): Promise<{ query: string; hits: SearchHit[] }>
  /** Returns the sections as JSON, which browsers search. */
  file(): Promise<string>
}

export function openSearch(site: Pick<Site, 'sections'>): SiteSearch {
  const sections = memoizeSuccess(() => site.sections())
  const index = memoizeSuccess(async () => indexOf(await sections()))
  return {
    async find(text) {
      const { search } = await import('./search/docs-index.js')
      const query = text.slice(0, maxQueryCharacters).trim()
      return { query, hits: query === '' ? [] : search(await index(), query) }
    },
    file: async () => JSON.stringify(await sections()),
  }
}

async function indexOf(sections: Section[]): Promise<MiniSearch<Section>> {
  const [{ default: library }, { newIndex }] = await Promise.all([
    import('minisearch'),
    import('./search/docs-index.js'),
  ])
  const index = newIndex(library)
  // Sections are added in chunks, so that requests can be served in between.
  await index.addAllAsync(sections, { chunkSize: 20 })
  return index
}

/** Returns a function that calls `make` once. If it fails, the next call tries again. */
function memoizeSuccess<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    })
    return made
  }
}
