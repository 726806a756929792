import { setImmediate } from 'node:timers/promises'
import type { ContentsEntry, ContentsGroup, Library } from './library.ts'
import { isForContributors, llmsText } from './llms.ts'
import type { Rendered } from './markdown.ts'
import { renderMissing, renderPage, renderSearch } from './pages/render.ts'
import { isOwnPage } from './reference/api-calls.ts'
import type { ReferenceContents } from './reference/contents-page.ts'
import type { OpenApiDocument } from './reference/open-api.ts'
import type { Reference } from './reference/reference.ts'
import type { SearchHit, Section } from './search/docs-index.js'
import { sectionsOf } from './search/sections.ts'

/** All pages of the site: the documents in `docs/`, the API reference and the search. */
export type Site = {
  library: Library | undefined
  addresses(): Promise<string[]>
  /** Returns a page as HTML, or `undefined` if it does not exist. */
  page(address: string): Promise<string | undefined>
  /** Returns the page as Markdown, or `undefined` if it does not exist. */
  markdown(address: string): Promise<string | undefined>
  /** Returns `llms.txt`, whose links `linkTo` makes from the addresses of the Markdown. */
  llms(linkTo: (address: string) => string): Promise<string>
  /** Returns `llms-full.txt`: all guides and the reference, in one file. */
  llmsFull(): Promise<string>
  /** Returns the search page with the results. */
  searchPage(query: string, hits: SearchHit[]): string
  missingPage(): string
  /** Returns all sections that can be searched, in the order of the pages. */
  sections(): Promise<Section[]>
}

type SiteOptions = {
  /** Opens the documents. `addressOfAnchor` resolves their links to the API reference. */
  openLibrary(options: { addressOfAnchor(anchor: string): Promise<string | undefined> }): Library | undefined
  /** Returns the OpenAPI document from which the reference is rendered. */
  openApi(): object
  /** True if the API itself serves the site; false if the site is written as files. */
  isServed: boolean
}

export function openSite({ openLibrary, openApi, isServed }: SiteOptions): Site {
  // These modules are loaded on the first request, to keep start-up fast.
  let opened: Promise<Reference> | undefined
  const reference = () => {
    opened ??= import('./reference/reference.ts').then(({ openReference }) =>
      // We generated the document, so it has this type.
      openReference({ document: openApi() as OpenApiDocument, canSend: isServed }),
    )
    return opened
  }
  const library = openLibrary({
    addressOfAnchor: async (anchor) => (await reference()).addressOfAnchor(anchor),
  })
  const addresses = async () => [...(library?.addresses ?? []), ...(await reference()).addresses]

  async function render(
    address: string,
  ): Promise<{ rendered: Rendered; contents: ContentsGroup[] } | undefined> {
    const document = await library?.render(address)
    if (document) return { rendered: document, contents: library?.contents ?? [] }
    if (!address.startsWith('/docs/reference/')) return undefined
    const { contents, render } = await reference()
    const rendered = render(address)
    return (
      rendered && {
        rendered,
        contents: contents.map(({ name, pages }) => ({ name, entries: entriesOf(pages, address) })),
      }
    )
  }

  const markdown = async (address: string) =>
    (await library?.markdown(address)) ?? (await reference()).markdown(address)

  return {
    library,
    addresses,
    markdown,
    async llms(linkTo) {
      const { contents } = await reference()
      return llmsText({
        guides: library?.contents ?? [],
        reference: contents.map(({ name, pages }) => ({ name, entries: entriesOf(pages, '') })),
        linkTo,
      })
    },
    async llmsFull() {
      const texts: string[] = []
      for (const address of await addresses()) {
        if (!isForContributors(address)) texts.push((await markdown(address)) ?? '')
        await setImmediate()
      }
      return texts.join('\n\n')
    },
    async page(address) {
      const page = await render(address)
      if (!page) return undefined
      const entries = page.contents.flatMap(({ entries }) => entries)
      const at = entries.findIndex((entry) => entry.address === address)
      return renderPage({
        ...page.rendered,
        address,
        contents: page.contents,
        isServed,
        hasGuides: library !== undefined,
        isReference: page.contents !== library?.contents,
        previous: at > 0 ? entries[at - 1] : undefined,
        next: at < 0 ? undefined : entries[at + 1],
      })
    },
    searchPage: (query, hits) =>
      renderSearch({
        query,
        hits,
        contents: library?.contents ?? [],
        isServed,
        hasGuides: library !== undefined,
      }),
    missingPage: () => renderMissing(library, isServed),
    async sections() {
      const all = new Map<string, Section>()
      for (const address of await addresses()) {
        const page = await render(address)
        // An object that several resources return is shown on each of their pages, but indexed only once.
        for (const section of page ? sectionsOf(address, page.rendered) : []) {
          const says = `${section.heading}\n${section.text}`
          if (!all.has(says) || isOwnPage(lastPartOf(address), section.heading)) all.set(says, section)
        }
        // Lets other requests be served in between.
        await setImmediate()
      }
      return [...all.values()]
    },
  }
}

const lastPartOf = (address: string) => address.slice(address.lastIndexOf('/') + 1)

/** Returns the list of pages. The entry for the current page includes its calls. */
const entriesOf = (pages: ReferenceContents[number]['pages'], address: string): ContentsEntry[] =>
  pages.map((page) => ({
    title: page.title,
    address: page.address,
    ...(page.address === address && {
      inner: page.calls.map(({ summary, address }) => ({ title: summary, address })),
    }),
  }))
