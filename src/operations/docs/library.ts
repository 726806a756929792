import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path/posix'
import { pathToFileURL } from 'node:url'
import type { Picture, Rendered } from './markdown.ts'
import { pngSize } from './pictures.ts'

/** The documents of an installation. */
export type Library = {
  /** The documents, grouped and ordered as in `docs/README.md`. */
  contents: ContentsGroup[]
  /** The paths of all documents, such as `/docs/guides/lists`. */
  addresses: string[]
  pictures: (Picture & { body: Buffer })[]
  /** Reads and renders a document. Returns `undefined` if there is no document at this path. */
  render(address: string): Promise<Rendered | undefined>
}

export type ContentsGroup = { name: string; entries: ContentsEntry[] }
export type ContentsEntry = { title: string; address: string; inner?: ContentsEntry[] }

const own = new URL('../../../docs/', import.meta.url)

type LibraryOptions = {
  folder?: URL | string
  /** Returns the path of the API reference page that corresponds to an anchor in `docs/reference/api.md`. */
  addressOfAnchor?(anchor: string): Promise<string | undefined>
}

/**
 * Opens the documents, listing their files once. Returns `undefined` if the installation does not have the
 * folder.
 */
export function openLibrary({ folder = own, addressOfAnchor }: LibraryOptions = {}): Library | undefined {
  const root = folder instanceof URL ? folder : pathToFileURL(`${folder}/`)
  if (!hasDocuments(root)) return undefined
  const read = (file: string) => readFileSync(new URL(file, root), 'utf8')
  const all = readdirSync(root, { recursive: true, encoding: 'utf8' })
  // A requested path is only looked up here. It is never used as a file path.
  const files = new Map(
    all.filter((file) => file.endsWith('.md') && file !== apiFile).map((file) => [addressOf(file), file]),
  )
  const pictures = all.filter((file) => file.endsWith('.png')).map((file) => readPicture(root, file))
  const resolveFrom = (from: string) => (href: string) => resolveLink(from, href, files)
  return {
    contents: readContents(read(indexFile), resolveFrom(indexFile)),
    addresses: [...files.keys()],
    pictures,
    async render(address) {
      const file = files.get(address)
      if (file === undefined) return undefined
      const text = read(file)
      const anchors = await anchorsIn(text, addressOfAnchor)
      const { renderMarkdown } = await import('./markdown.ts')
      return renderMarkdown(text, {
        resolveLink: (href) => anchors.get(href) ?? resolveFrom(file)(href),
        resolvePicture: (href) =>
          pictures.find(({ address }) => address === path.join('/docs', path.dirname(file), href)),
      })
    },
  }
}

const indexFile = 'README.md'
/** This file only says where the API reference is. The site has reference pages instead. */
const apiFile = 'reference/api.md'

export const hasDocuments = (root = own) => existsSync(new URL(indexFile, root))

function readPicture(root: URL, file: string): Library['pictures'][number] {
  const body = readFileSync(new URL(file, root))
  return { address: path.join('/docs', file), ...pngSize(body), body }
}

/**
 * Returns the path of a file: `guides/lists.md` becomes `/docs/guides/lists`, and `README.md` becomes the path
 * of its folder.
 */
const addressOf = (file: string) => path.join('/docs', file.replace(/(?:^|\/)README\.md$|\.md$/, ''))

/**
 * Returns the path that a link leads to, or `undefined` if it does not lead to a document but, for example, to
 * a source file.
 */
function resolveLink(from: string, href: string, files: Map<string, string>): string | undefined {
  if (/^(?:https?:\/\/|mailto:)/i.test(href)) return href
  if (href.startsWith('#')) return href
  const [file = '', anchor] = href.split('#', 2)
  const target = path.join(path.dirname(from), file)
  if (target === apiFile) return '/docs/reference/api'
  const address = files.has(addressOf(target)) ? addressOf(target) : undefined
  return address === undefined || anchor === undefined ? address : `${address}#${anchor}`
}

/**
 * Returns a map whose keys are the document's links to `reference/api.md`, and whose values are the paths of
 * the corresponding reference pages.
 */
async function anchorsIn(text: string, addressOfAnchor: LibraryOptions['addressOfAnchor']) {
  const found = new Map<string, string>()
  for (const [, href = '', anchor = ''] of text.matchAll(/\]\(([^)\s]*\bapi\.md#([^)\s]+))\)/g)) {
    const address = await addressOfAnchor?.(anchor)
    if (address) found.set(href, address)
  }
  return found
}

/** Parses the lists in an index. Returns the first link of each entry, grouped by second-level heading. */
function readContents(index: string, resolve: (href: string) => string | undefined): ContentsGroup[] {
  const [, ...groups] = index.split(/^## /m)
  return groups.map((group) => {
    const [name = '', ...lines] = group.split('\n')
    const entries = lines.flatMap((line) => {
      const [, title, href] = /^- \[([^\]]+)\]\(([^)]+)\)/.exec(line) ?? []
      const address = href && resolve(href)
      return title && address ? [{ title, address }] : []
    })
    return { name, entries }
  })
}
