import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path/posix'
import type { Picture, Rendered } from './markdown.ts'

/** The documents of an installation. */
export type Library = {
  /** The documents, grouped and ordered as in `docs/README.md`. */
  contents: ContentsGroup[]
  /** The paths of all documents, such as `/docs/guides/lists`. */
  addresses: string[]
  pictures: (Picture & { body: Buffer })[]
  /** Reads and renders a document. Returns `undefined` if there is no document at this path. */
  render(address: string): Promise<Rendered | undefined>
  /** Returns a document as Markdown. Its links lead to the Markdown of the other pages. */
  markdown(address: string): Promise<string | undefined>
}

export type ContentsGroup = { name: string; entries: ContentsEntry[] }
export type ContentsEntry = { title: string; address: string; about?: string; inner?: ContentsEntry[] }

const repository = new URL('../../../', import.meta.url)

type LibraryOptions = {
  /** The folder that contains `docs/`. */
  root?: URL
  /** Returns the path of the API reference page that corresponds to an anchor in `docs/reference/api.md`. */
  addressOfAnchor?(anchor: string): Promise<string | undefined>
}

/**
 * Opens the documents, listing their files once. Returns `undefined` if the installation does not have the
 * folder.
 */
export function openLibrary({
  root = repository,
  addressOfAnchor,
}: LibraryOptions = {}): Library | undefined {
  if (!hasDocuments(root)) return undefined
  const read = (file: string) => readFileSync(new URL(file, root), 'utf8')
  const all = listFiles(root)
  // A requested path is only looked up here. It is never used as a file path.
  const files = new Map(
    all.filter((file) => file.endsWith('.md') && file !== apiFile).map((file) => [addressOf(file), file]),
  )
  const pictures = all.filter((file) => file.endsWith('.png')).map((file) => readPicture(root, file))
  const resolveFrom = (from: string) => (href: string) => resolveLink(from, href, files)
  const open = async (address: string) => {
    const file = files.get(address)
    if (file === undefined) return undefined
    const text = read(file)
    const anchors = await anchorsIn(text, addressOfAnchor)
    return { file, text, resolveLink: (href: string) => anchors.get(href) ?? resolveFrom(file)(href) }
  }
  return {
    contents: readContents(read(indexFile), resolveFrom(indexFile)).map((group) =>
      group.name === 'Providers'
        ? { ...group, entries: [...group.entries, ...railEntries(files, read)] }
        : group,
    ),
    addresses: [...files.keys()],
    pictures,
    async markdown(address) {
      const document = await open(address)
      if (!document) return undefined
      const { withoutNotice } = await import('./markdown.ts')
      return withoutNotice(document.text).replace(
        /(?<!!)\[((?:[^[\]]|\[[^[\]]*\])*)\]\(([^()\s]+)\)/g,
        (_, words: string, href: string) => {
          const target = document.resolveLink(href)
          return target === undefined ? words : `[${words}](${markdownAddress(target)})`
        },
      )
    },
    async render(address) {
      const document = await open(address)
      if (!document) return undefined
      const { file, text, resolveLink } = document
      const { renderMarkdown } = await import('./markdown.ts')
      return renderMarkdown(text, {
        hasRowAnchors: file.startsWith('docs/reference/'),
        resolveLink,
        resolvePicture: (href) =>
          pictures.find(({ address }) => address === path.join('/', path.dirname(file), href)),
      })
    },
  }
}

const indexFile = 'docs/README.md'
/** This file only says where the API reference is. The site has reference pages instead. */
const apiFile = 'docs/reference/api.md'

export const hasDocuments = (root = repository) => existsSync(new URL(indexFile, root))

function readPicture(root: URL, file: string): Library['pictures'][number] {
  const body = readFileSync(new URL(file, root))
  return { address: path.join('/', file), ...pngSize(body), body }
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Returns the width and height of a PNG in pixels, read from its first chunk. */
function pngSize(file: Buffer): { width: number; height: number } {
  if (file.length < 24 || !file.subarray(0, 8).equals(pngSignature))
    throw new Error('a picture must be a PNG')
  return { width: file.readUInt32BE(16), height: file.readUInt32BE(20) }
}

/** Lists the files of `docs/`, and the guide of each rail that has one. */
function listFiles(root: URL): string[] {
  const within = (folder: string, depth: { recursive: boolean }) =>
    readdirSync(new URL(folder, root), { ...depth, encoding: 'utf8' }).map((file) => `${folder}${file}`)
  const rails = 'packages/rails/'
  const hasRails = existsSync(new URL(rails, root))
  const guides = (hasRails ? within(rails, { recursive: false }) : []).map((rail) => `${rail}/guide.md`)
  return [
    ...within('docs/', { recursive: true }),
    ...guides.filter((file) => existsSync(new URL(file, root))),
  ]
}

/**
 * Returns the path of a file: `docs/guides/lists.md` becomes `/docs/guides/lists`, `README.md` becomes the path
 * of its folder, and the guide of the rail `gsma` becomes `/docs/guides/rails/gsma`.
 */
const addressOf = (file: string) =>
  path.join('/', file.replace(railGuide, 'docs/guides/rails/$1').replace(/(?:^|\/)README\.md$|\.md$/, ''))

const railGuide = /^packages\/rails\/([^/]+)\/guide\.md$/

/** Returns the path of a page's Markdown: `/docs/guides/lists.md#paging`. Links to other sites stay as they are. */
export const markdownAddress = (address: string) => address.replace(/^\/docs[^#]*/, '$&.md')

/** Returns the guides of the rails, by their titles. */
const railEntries = (files: Map<string, string>, read: (file: string) => string): ContentsEntry[] =>
  [...files]
    .filter(([, file]) => railGuide.test(file))
    .map(([address, file]) => ({ address, title: /^# (.+)$/m.exec(read(file))?.[1] ?? address }))
    .toSorted((a, b) => a.title.localeCompare(b.title, 'en', { sensitivity: 'base' }))

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
      const [, title, href, about = ''] = /^- \[([^\]]+)\]\(([^)]+)\)(?:: (.+))?/.exec(line) ?? []
      const address = href && resolve(href)
      return title && address ? [{ title, address, about }] : []
    })
    return { name, entries }
  })
}
