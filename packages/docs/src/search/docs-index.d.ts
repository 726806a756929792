import type MiniSearch from 'minisearch'

/** A searchable part of a page, below a heading. `address` is relative to `/docs/`, such as `guides/lists#paging`. */
export type Section = {
  address: string
  page: string
  heading: string
  text: string
  /** True for a row of a table, such as a setting. It ranks below texts, unless the query is its name. */
  isRow?: true
}

/** `page` says where the section is. In `heading` and `excerpt`, every second piece is a search term. */
export type SearchHit = { address: string; page: string; heading: string[]; excerpt: string[] }

export function newIndex(library: typeof MiniSearch): MiniSearch<Section>
export function search(index: MiniSearch<Section>, query: string): SearchHit[]
