import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { relative } from 'node:path/posix'
import { openLibrary } from './library.ts'
import { scripts } from './pages/scripts.ts'
import { placeholders } from './reference/requests.ts'
import { openSite, type Site } from './site.ts'

/** Why the files cannot be written: its message is for people. */
export class SiteFilesError extends Error {}

type SiteFiles = {
  /** An empty folder, or one that is not there yet. */
  folder: string
  /** Where the service is that the samples call; by default the reader names it. */
  baseUrl?: string | undefined
}

/**
 * Writes the whole site as files, for a server that knows nothing of Pesewa: links are relative, so that they may stand in
 * any folder of it. Returns how many pages there are.
 */
export async function writeSiteFiles({ folder, baseUrl = placeholders.base }: SiteFiles): Promise<number> {
  const site = openSite({
    openLibrary,
    openApi: () => ({ ...readOpenApi(site), servers: [{ url: baseUrl }] }),
    isServed: false,
  })
  const { library } = site
  if (!library) throw new SiteFilesError('This installation came without the folder docs/.')
  const write = openFolder(folder)
  const addresses = await site.addresses()
  const files = filesOf(site, addresses)
  for (const address of addresses) {
    const page = await site.page(address)
    const file = files.get(address)
    if (page !== undefined && file !== undefined) write(file, withRelativeLinks(page, file, files))
  }
  const search = 'search.html'
  write(search, withRelativeLinks(site.searchPage('', []), search, files))
  const sections = await site.sections()
  write(
    'search.json',
    JSON.stringify(
      sections.map((section) => ({ ...section, address: fileOfSection(section.address, files) })),
    ),
  )
  write('openapi.json', JSON.stringify({ ...readOpenApi(site), servers: [{ url: baseUrl }] }))
  for (const { address, body } of library.pictures) write(address.slice('/docs/'.length), body)
  for (const { path, body } of Object.values(scripts)) write(path.slice(1), body)
  return addresses.length
}

function readOpenApi({ library }: Site): object {
  const document: unknown = JSON.parse(library?.read('reference/openapi.json') ?? '{}')
  return typeof document === 'object' && document !== null ? document : {}
}

function openFolder(folder: string) {
  mkdirSync(folder, { recursive: true })
  // Nothing that somebody has there is overwritten, and nothing of an older version stays.
  if (readdirSync(folder).length > 0)
    throw new SiteFilesError(`${folder} is not empty: name a folder that is, or that is not there yet.`)
  return (file: string, content: string | Buffer) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), content)
  }
}

/** The file of each address: `/docs/guides/lists` is `guides/lists.html`. */
function filesOf({ library }: Site, addresses: string[]): Map<string, string> {
  const pages = addresses.map(
    (address) =>
      [address, address === '/docs' ? 'index.html' : `${address.slice('/docs/'.length)}.html`] as const,
  )
  const others = ['/docs/search.json', ...(library?.pictures ?? []).map(({ address }) => address)].map(
    (address) => [address, address.slice('/docs/'.length)] as const,
  )
  const atRoot = ['/openapi.json', ...Object.values(scripts).map(({ path }) => path)].map(
    (path) => [path, path.slice(1)] as const,
  )
  return new Map([...pages, ...others, ...atRoot, ['/docs/search', 'search.html'], ['/docs/', '']])
}

/** All attributes of ours that hold an address; what stands in the text of a page has no quotes of its own. */
const addressForm = / (href|src|action|data-[a-z-]+)="(\/[^"?#]*)([?#][^"]*)?"/g

const withRelativeLinks = (html: string, from: string, files: Map<string, string>) =>
  html.replace(addressForm, (whole, name: string, address: string, rest = '') => {
    const file = files.get(address)
    if (file === undefined) return whole
    const path = relative(dirname(from), file)
    return ` ${name}="${file === '' ? `${path || '.'}/` : path}${rest}"`
  })

function fileOfSection(address: string, files: Map<string, string>): string {
  const [page = '', anchor] = address.split('#', 2)
  const file = files.get(page === '' ? '/docs' : `/docs/${page}`) ?? 'index.html'
  return anchor === undefined ? file : `${file}#${anchor}`
}
