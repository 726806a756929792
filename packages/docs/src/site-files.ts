import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { relative } from 'node:path/posix'
import { markdownAddress, openLibrary } from './library.ts'
import { scripts } from './pages/scripts.ts'
import { placeholders } from './reference/requests.ts'
import { openSite, type Site } from './site.ts'

/** Thrown if the files cannot be written. The message is for the operator. */
export class SiteFilesError extends Error {}

type SiteFiles = {
  /** The OpenAPI document from which the reference is rendered. */
  openApi: object
  /** Folder to write to. It must be empty or not exist yet. */
  folder: string
  /** URL of the service to use in samples. By default, readers enter it themselves. */
  baseUrl?: string | undefined
}

/**
 * Writes the whole site as files that any web server can serve. Links are relative, so the site can be in any
 * folder. Returns the number of pages.
 */
export async function writeSiteFiles({
  openApi,
  folder,
  baseUrl = placeholders.base,
}: SiteFiles): Promise<number> {
  const document = { ...openApi, servers: [{ url: baseUrl }] }
  const site = openSite({ openLibrary, openApi: () => document, isServed: false })
  const { library } = site
  if (!library) throw new SiteFilesError('This installation does not include the docs/ folder.')
  const write = openFolder(folder)
  const addresses = await site.addresses()
  const files = filesOf(site, addresses)
  for (const address of addresses) {
    const page = await site.page(address)
    const file = files.get(address)
    if (page !== undefined && file !== undefined) write(file, withRelativeLinks(page, file, files))
    const markdown = markdownAddress(address)
    const markdownFile = files.get(markdown)
    const text = await site.markdown(address)
    if (text !== undefined && markdownFile !== undefined) write(markdownFile, text)
  }
  write('llms.txt', await site.llms((address) => files.get(address) ?? address))
  write('llms-full.txt', await site.llmsFull())
  const search = 'search.html'
  write(search, withRelativeLinks(site.searchPage('', []), search, files))
  const sections = await site.sections()
  write(
    'search.json',
    JSON.stringify(
      sections.map((section) => ({ ...section, address: fileOfSection(section.address, files) })),
    ),
  )
  write('openapi.json', JSON.stringify(document))
  for (const { address, body } of library.pictures) write(address.slice('/docs/'.length), body)
  for (const { path, body } of Object.values(scripts)) write(path.slice(1), body)
  return addresses.length
}

function openFolder(folder: string) {
  mkdirSync(folder, { recursive: true })
  // This ensures that no files are overwritten and that no pages from an older version remain.
  if (readdirSync(folder).length > 0)
    throw new SiteFilesError(`${folder} is not empty. Choose an empty folder or a new one.`)
  return (file: string, content: string | Buffer) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), content)
  }
}

/** Returns the file of each path: `guides/lists.html` for `/docs/guides/lists`. */
function filesOf({ library }: Site, addresses: string[]): Map<string, string> {
  const pages = addresses.map(
    (address) =>
      [address, address === '/docs' ? 'index.html' : `${address.slice('/docs/'.length)}.html`] as const,
  )
  const texts = addresses.map((address) => {
    const markdown = markdownAddress(address)
    return [markdown, address === '/docs' ? 'index.md' : markdown.slice('/docs/'.length)] as const
  })
  const others = ['/docs/search.json', ...(library?.pictures ?? []).map(({ address }) => address)].map(
    (address) => [address, address.slice('/docs/'.length)] as const,
  )
  const atRoot = ['/openapi.json', ...Object.values(scripts).map(({ path }) => path)].map(
    (path) => [path, path.slice(1)] as const,
  )
  return new Map([...pages, ...texts, ...others, ...atRoot, ['/docs/search', 'search.html'], ['/docs/', '']])
}

/** Matches every attribute in our pages that contains a path. Text content contains no unescaped quotes. */
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
