import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Decision } from '../../scripts/documents/decisions.ts'
import { lineAt, root } from './sources.ts'

/** A Markdown file of the repository; `path` is relative to its root. */
export type Page = { path: string; text: string }

/** Every Markdown file that is committed, or about to be. */
export const pages = (): Page[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => file !== '' && existsSync(path.join(root, file)))
    .map((file) => ({ path: file, text: readFileSync(path.join(root, file), 'utf8') }))

/** Links that lead to no file, or to no heading of it. */
export function deadLinks(page: Page, all: Page[]): string[] {
  const text = withoutCode(page.text)
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(({ 1: link, index }) => {
    if (/^(?:https?|mailto):/.test(link!)) return []
    const [file, anchor] = link!.split('#', 2) as [string, string?]
    const target = file === '' ? page.path : path.join(path.dirname(page.path), file)
    const at = `${page.path}:${lineAt(text, index)}`
    if (!existsSync(path.join(root, target))) return [`${at} ${link} leads to no file`]
    const read = all.find(({ path }) => path === target)
    // Its anchors lead to the pages of the site.
    if (target === 'docs/reference/api.md') return []
    const isDead = anchor !== undefined && read !== undefined && !anchorsOf(read.text).has(anchor)
    return isDead ? [`${at} ${link} leads to no heading`] : []
  })
}

/** Where documents may lead to outside; nothing is fetched. */
const hostsOutside = [
  ...['www.standardwebhooks.com', 'lite.ip2location.com', 'semver.org'],
  ...['www.contributor-covenant.org', 'docs.github.com'],
]
/** The service of `npm start`, and the shops beside it. */
const hostsHere = ['127.0.0.1:8080', '127.0.0.1:3000']

/** Links to elsewhere that are no addresses, lead to a host that nobody has looked at, or are written so that no test sees them. */
export function strangeLinks({ path, text }: Page): string[] {
  const prose = withoutCode(text).replace(/`[^`\n]*`/g, (part) => ' '.repeat(part.length))
  const outside = [...prose.matchAll(/(?:\]\(|<)((?:https?|mailto):[^)>\s]*)/g)].filter(
    ({ 1: url }) => !isKnown(url!),
  )
  const unseen = [...prose.matchAll(/\]\((?:<|[^)\n]*\s)|^\[[^\]]+\]:|<(?:a|img)\s/gm)]
  return [
    ...outside.map(
      ({ 1: url, index }) => `${path}:${lineAt(prose, index)} ${url} is no address that is known`,
    ),
    ...unseen.map(
      ({ 0: link, index }) => `${path}:${lineAt(prose, index)} ${link.trim()} is no link that is checked`,
    ),
  ]
}

function isKnown(text: string): boolean {
  const url = URL.parse(text)
  if (url?.protocol === 'http:') return hostsHere.includes(url.host)
  return url?.protocol === 'https:' && url.port === '' && hostsOutside.includes(url.host)
}

/** Hosts of samples and settings: made-up ones that belong to nobody, this machine, or a provider's own. */
export function strangeHosts({ path, text }: Page): string[] {
  return [...text.matchAll(/https?:\/\/([\w.-]+\.[a-z]{2,})(?=[\s/:"'`)>,;?]|\.\s|$)/gim)]
    .filter(({ 1: host }) => !/(?:^|\.)example(?:\.(?:com|org|net))?$/.test(host!))
    .filter(({ 1: host }) => ![...hostsOutside, ...hostsOfProviders].includes(host!))
    .map(({ 1: host, index }) => `${path}:${lineAt(text, index)} ${host} may be somebody's`)
}

/** As their documentation has them. */
const hostsOfProviders = [
  ...['api.safaricom.co.ke', 'sandbox.safaricom.co.ke'],
  ...['proxy.momoapi.mtn.com', 'sandbox.momodeveloper.mtn.com', 'momoapi.momo.africa'],
  ...['openapi.airtel.co.zm', 'openapi.airtel.ug'],
  ...['api.pawapay.io', 'api.sandbox.pawapay.io', 'pay.wave.com'],
  ...['api.paystack.co', 'checkout.paystack.com'],
]

/** The anchors of a page's headings, as GitHub makes them. */
const anchorsOf = (text: string): Set<string> =>
  new Set(
    [...withoutCode(text).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
      heading!
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\- _]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )

/** What code blocks hold leads nowhere; the lines stay. */
const withoutCode = (text: string) =>
  text.replace(/^```[\s\S]*?^```/gm, (block) => block.replace(/[^\n]/g, ''))

const folders = 'src|test|scripts|bench|docs|migrations'
const pathForm = new RegExp(`(?<![\\w./-])(?:\\.\\./)*(?:${folders})/[\\w./-]*\\w`, 'g')
const fileForm = new RegExp(`(?<![\\w./*-])(?!(?:${folders})/)[\\w/-]+(?:\\.test)?\\.ts\\b`, 'g')

/**
 * Paths of the repository that a page names and that are not there. In a slice's own README whatever ends in `.ts`, in a
 * drawing too, is a file of that folder, or has its path from the root or from `src/`.
 */
export function missingPaths(page: Page): string[] {
  const folder = path.dirname(page.path)
  const exists = (...parts: string[]) => existsSync(path.join(root, ...parts))
  const named = [...page.text.matchAll(pathForm)].filter(
    ({ 0: name }) =>
      // Tables name files from `src/`, which has a folder `docs` too.
      !exists(name.replace(/^(?:\.\.\/)+/, '')) && !exists(folder, name) && !exists('src', name),
  )
  const files = folder.startsWith('src/')
    ? [...page.text.matchAll(fileForm)].filter(
        ({ 0: name }) => !exists(folder, name) && !exists(name) && !exists('src', name),
      )
    : []
  return [...named, ...files].map(
    ({ 0: name, index }) => `${page.path}:${lineAt(page.text, index)} ${name} is not there`,
  )
}

/** The tables that a slice's README says are its own. */
export function tablesIn({ text }: Page): string[] {
  const section = /^## Tables\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(text)?.[1] ?? ''
  return [...section.matchAll(/`(\w+)`/g)].map(([, name]) => name!)
}

const decisionSections = ['Context', 'Decision', 'Alternatives', 'Consequences']

/** Returns records with a wrong or repeated number, an unknown slice, or other sections; only `Alternatives` may be missing. */
export function decisionFaults(decisions: Decision[], slices: string[]): string[] {
  const byNumber = new Map(decisions.map((decision) => [decision.number, decision]))
  return decisions.flatMap((decision) => {
    const { number, file, slice, sections } = decision
    const at = `docs/decisions/${file}:1`
    const expected = decisionSections.filter((name) => name !== 'Alternatives' || sections.includes(name))
    return [
      ...(Number(file.slice(0, 4)) === number && byNumber.get(number) === decision
        ? []
        : [`${at} does not have the number ${number} to itself`]),
      ...(slices.includes(slice) ? [] : [`${at} ${slice} is not a slice`]),
      ...(sections.join() === expected.join() ? [] : [`${at} has the sections ${sections.join(', ')}`]),
    ]
  })
}
