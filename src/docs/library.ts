import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path/posix'
import { pathToFileURL } from 'node:url'
import type { Picture, Rendered } from './markdown.ts'
import { pngSize } from './pictures.ts'

/** What an installation has to read. */
export type Library = {
  /** In order, by group: what `docs/README.md` lists. */
  contents: ContentsGroup[]
  /** Its addresses, like `/docs/guides/lists`. */
  addresses: string[]
  pictures: (Picture & { body: Buffer })[]
  /** Reads the file and renders it. `undefined` where there is no such document. */
  render(address: string): Promise<Rendered | undefined>
  /** A file of the folder as it is, such as the OpenAPI document. */
  read(file: string): string
}

export type ContentsGroup = { name: string; entries: ContentsEntry[] }
export type ContentsEntry = { title: string; address: string; inner?: ContentsEntry[] }

const own = new URL('../../docs/', import.meta.url)

type LibraryOptions = {
  folder?: URL | string
  /** Where the reference of the API says what an anchor of `docs/reference/api.md` does. */
  addressOfAnchor?(anchor: string): Promise<string | undefined>
}

/** `undefined` where the documents were left out of the installation. What is there is looked up once. */
export function openLibrary({ folder = own, addressOfAnchor }: LibraryOptions = {}): Library | undefined {
  const root = folder instanceof URL ? folder : pathToFileURL(`${folder}/`)
  if (!hasDocuments(root)) return undefined
  const read = (file: string) => readFileSync(new URL(file, root), 'utf8')
  const all = readdirSync(root, { recursive: true, encoding: 'utf8' })
  // What is asked for never becomes a path: it is one of these addresses, or nothing.
  const files = new Map(
    all.filter((file) => file.endsWith('.md') && file !== apiFile).map((file) => [addressOf(file), file]),
  )
  const pictures = all.filter((file) => file.endsWith('.png')).map((file) => readPicture(root, file))
  const resolveFrom = (from: string) => (href: string) => resolveLink(from, href, files)
  return {
    contents: readContents(read(indexFile), resolveFrom(indexFile)),
    addresses: [...files.keys()],
    pictures,
    read,
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
/** For who reads the repository; here the reference has pages. */
const apiFile = 'reference/api.md'

export const hasDocuments = (root = own) => existsSync(new URL(indexFile, root))

function readPicture(root: URL, file: string): Library['pictures'][number] {
  const body = readFileSync(new URL(file, root))
  return { address: path.join('/docs', file), ...pngSize(body), body }
}

/** `guides/lists.md` is at `/docs/guides/lists`, and a `README.md` at its folder's address. */
const addressOf = (file: string) => path.join('/docs', file.replace(/(?:^|\/)README\.md$|\.md$/, ''))

/** Documents that programs read have an address elsewhere; the reference of the API has pages of its own. */
const served: Record<string, string> = {
  'reference/openapi.json': '/openapi.json',
  [apiFile]: '/docs/reference/api',
}

/** What is no document, such as a file of the program, has no address. */
function resolveLink(from: string, href: string, files: Map<string, string>): string | undefined {
  if (/^(?:https?:\/\/|mailto:)/i.test(href)) return href
  if (href.startsWith('#')) return href
  const [file = '', anchor] = href.split('#', 2)
  const target = path.join(path.dirname(from), file)
  if (served[target]) return served[target]
  const address = files.has(addressOf(target)) ? addressOf(target) : undefined
  return address === undefined || anchor === undefined ? address : `${address}#${anchor}`
}

/** The links of a document that lead into `reference/api.md`, and where that is among the pages of the reference. */
async function anchorsIn(text: string, addressOfAnchor: LibraryOptions['addressOfAnchor']) {
  const found = new Map<string, string>()
  for (const [, href = '', anchor = ''] of text.matchAll(/\]\(([^)\s]*\bapi\.md#([^)\s]+))\)/g)) {
    const address = await addressOfAnchor?.(anchor)
    if (address) found.set(href, address)
  }
  return found
}

/** The lists of an index: below each heading of the second rank, the first link of each entry. */
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
