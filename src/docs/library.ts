import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path/posix'
import { pathToFileURL } from 'node:url'
import { renderMarkdown } from './markdown.ts'

/** A document as it is shown. */
export type Rendered = { title: string; html: string }

/** What an installation has to read. */
export type Library = {
  /** In order, by group: what `docs/README.md` lists. */
  contents: ContentsGroup[]
  /** Its addresses, like `/docs/guides/lists`. */
  addresses: string[]
  /** Reads the file and renders it. `undefined` where there is no such document. */
  render(address: string): Rendered | undefined
}

export type ContentsGroup = { name: string; entries: { title: string; address: string }[] }

const own = new URL('../../docs/', import.meta.url)

/** `undefined` where the documents were left out of the installation. What is there is looked up once. */
export function openLibrary(folder: URL | string = own): Library | undefined {
  const root = folder instanceof URL ? folder : pathToFileURL(`${folder}/`)
  if (!hasDocuments(root)) return undefined
  const read = (file: string) => readFileSync(new URL(file, root), 'utf8')
  // What is asked for never becomes a path: it is one of these addresses, or nothing.
  const files = new Map(markdownFiles(root).map((file) => [addressOf(file), file]))
  const resolveFrom = (from: string) => (href: string) => resolveLink(from, href, files)
  return {
    contents: readContents(read(indexFile), resolveFrom(indexFile)),
    addresses: [...files.keys()],
    render(address) {
      const file = files.get(address)
      return file === undefined ? undefined : renderMarkdown(read(file), resolveFrom(file))
    },
  }
}

const indexFile = 'README.md'

export const hasDocuments = (root = own) => existsSync(new URL(indexFile, root))

const markdownFiles = (root: URL): string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'))

/** `guides/lists.md` is at `/docs/guides/lists`, and a `README.md` at its folder's address. */
const addressOf = (file: string) => path.join('/docs', file.replace(/(?:^|\/)README\.md$|\.md$/, ''))

/** Documents that programs read have an address elsewhere. */
const served: Record<string, string> = { 'reference/openapi.json': '/openapi.json' }

/** What is no document, such as a file of the program, has no address. */
function resolveLink(from: string, href: string, files: Map<string, string>): string | undefined {
  if (/^(?:https?:\/\/|mailto:)/i.test(href)) return href
  if (href.startsWith('#')) return href
  const [file = '', anchor] = href.split('#', 2)
  const target = path.join(path.dirname(from), file)
  const address = served[target] ?? (files.has(addressOf(target)) ? addressOf(target) : undefined)
  return address === undefined || anchor === undefined ? address : `${address}#${anchor}`
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
