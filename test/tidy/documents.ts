import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Decision } from '../../scripts/documents/decisions.ts'
import { lineAt, root } from './sources.ts'

/** A Markdown file of the repository; `path` is relative to its root. */
export type Page = { path: string; text: string }

/** Returns every Markdown file that is committed or not ignored. */
export const pages = (): Page[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => file !== '' && existsSync(path.join(root, file)))
    .map((file) => ({ path: file, text: readFileSync(path.join(root, file), 'utf8') }))

/** Hosts that documents link to. Nothing is fetched from them. */
const hostsOutside = [
  'www.standardwebhooks.com',
  'lite.ip2location.com',
  'semver.org',
  'www.contributor-covenant.org',
  'docs.github.com',
  'etcd.io',
  'patroni.readthedocs.io',
]

/**
 * Returns URLs whose host is not an example domain, this machine, a provider or a known site: a reader who
 * pastes such a sample would call a stranger's server.
 */
export function strangeHosts({ path, text }: Page): string[] {
  // The pages of a rail name its hosts.
  if (path.startsWith('packages/rails/')) return []
  return [...text.matchAll(/https?:\/\/([\w.-]+\.[a-z]{2,})(?=[\s/:"'`)>,;?]|\.\s|$)/gim)]
    .filter(({ 1: host }) => !/(?:^|\.)example(?:\.(?:com|org|net))?$/.test(host!))
    .filter(({ 1: host }) => ![...hostsOutside, ...hostsOfProviders].includes(host!))
    .map(({ 1: host, index }) => `${path}:${lineAt(text, index)} ${host} is not a known host`)
}

/** From the providers' documentation. */
const hostsOfProviders = [
  ...['api.safaricom.co.ke', 'sandbox.safaricom.co.ke'],
  ...['proxy.momoapi.mtn.com', 'sandbox.momodeveloper.mtn.com', 'momoapi.momo.africa'],
  ...['openapi.airtel.co.zm', 'openapi.airtel.ug'],
  ...['api.pawapay.io', 'api.sandbox.pawapay.io', 'pay.wave.com'],
  ...['api.paystack.co', 'checkout.paystack.com'],
]

const decisionSections = ['Context', 'Decision', 'Alternatives', 'Consequences']

/** Returns records with a wrong or repeated number, an unknown slice, or other sections; only `Alternatives` may be missing. */
export function decisionIssues(decisions: Decision[], slices: string[]): string[] {
  const byNumber = new Map(decisions.map((decision) => [decision.number, decision]))
  return decisions.flatMap((decision) => {
    const { number, file, slice, sections } = decision
    const at = `docs/decisions/${file}:1`
    const expected = decisionSections.filter((name) => name !== 'Alternatives' || sections.includes(name))
    return [
      ...(Number(file.slice(0, 4)) === number && byNumber.get(number) === decision
        ? []
        : [`${at} does not have a unique number: ${number}`]),
      ...(slices.includes(slice) ? [] : [`${at} ${slice} is not a slice`]),
      ...(sections.join() === expected.join() ? [] : [`${at} has the sections ${sections.join(', ')}`]),
    ]
  })
}
