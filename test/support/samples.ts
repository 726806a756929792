import type { Page } from '../tidy/documents.ts'

// The samples of the documents: blocks of code that a reader can paste.

export type Sample = {
  /** Where it begins: `docs/guides/checkout.md:27`. */
  at: string
  language: 'sh' | 'ts' | 'php'
  title: string | undefined
  /** False where the block says `no-run`, and why stands in `notRun`. */
  isRun: boolean
  code: string
}

/** What a block may be called: a sample, or what is looked at only. */
const forms = {
  sample: /^(sh|ts|php)(?: title="(curl|SDK|PHP)")?( no-run)?$/,
  shown: /^(?:|json|ini|sql|env|yaml|html)$/,
}
const titles = { sh: 'curl', ts: 'SDK', php: 'PHP' }

/** `isNext`: nothing but empty lines is between it and the block before. */
type Block = { at: string; isNext: boolean; info: string; code: string }

function blocksIn({ path, text }: Page): Block[] {
  const lines = text.split('\n')
  const blocks: Block[] = []
  let first: { line: number; indent: string; info: string } | undefined
  let lastLine = -1
  for (const [i, line] of lines.entries()) {
    const fence = /^( *)```(.*)$/.exec(line)
    if (!fence) continue
    if (first === undefined) {
      first = { line: i, indent: fence[1]!, info: fence[2]!.trim() }
      continue
    }
    const { indent, info } = first
    const code = lines.slice(first.line + 1, i).map((each) => each.replace(new RegExp(`^${indent}`), ''))
    blocks.push({
      at: `${path}:${first.line + 1}`,
      isNext: lines.slice(lastLine + 1, first.line).every((each) => each === ''),
      ...{ info, code: code.join('\n') },
    })
    first = undefined
    lastLine = i
  }
  return blocks
}

export const samplesIn = (page: Page): Sample[] =>
  blocksIn(page).flatMap(({ at, info, code }) => {
    const found = forms.sample.exec(info)
    if (!found) return []
    const [, language, title, noRun] = found
    return [{ at, language: language as Sample['language'], title, isRun: noRun === undefined, code }]
  })

const harmless = [
  'curl',
  'node',
  'pesewa',
  'npm',
  'date',
  'echo',
  'grep',
  'head',
  'cut',
  'until',
  'sleep',
  'do',
  'done',
  'export',
  'for',
]

/**
 * Programs that a sample to be run begins with a line of its own, or behind a pipe, and that nobody has looked at: tests run as root, and no
 * document is to make users of the machine or to delete its files by being tested.
 */
export function programFaults({ at, language, isRun, code }: Sample): string[] {
  if (language !== 'sh' || !isRun) return []
  const lines = code
    .replace(/\\\n/g, ' ')
    .replace(/'[^']*'|"(?:\\.|\$\([^)]*\)|[^"\\])*"/g, '""')
    .replace(/#.*$/gm, '')
    .split(/\n|\||;|&&|\$\(/)
  // Also within quotes.
  const inner = [...code.matchAll(/\$\(\s*([^\s)]+)/g)].map(([, program]) => program!)
  return [...lines, ...inner]
    .map((line) => line.trim().replace(/^(?:\w+=\S*\s*)+/, ''))
    .map((line) => /^[^\s)]*/.exec(line)![0])
    .filter((program) => program !== '' && !harmless.includes(program))
    .map((program) => `${at} runs ${program}, which nobody has looked at`)
}

/** What is typed at `pesewa` alone: whether there is such a command is told without running it. */
const isOfCommands = (code: string) =>
  code.split('\n').every((line) => /^(?:pesewa |npm run -s pesewa -- | {2}|#|$)/.test(line))

/** Names what only the reader has: `spc-…`. */
export const isForReader = ({ code }: Sample) => code.includes('…') && isOfCommands(code)

/** Also members of an object, as they are put into one. */
function isJson(code: string): boolean {
  for (const text of [code, `{${code}}`])
    try {
      JSON.parse(text)
      return true
    } catch {}
  return false
}

/** Blocks in no language that is known; and calls that are not shown in all three languages, right after one another. */
export function sampleFaults(page: Page): string[] {
  const blocks = blocksIn(page)
  const isTitled = (block: Block | undefined, language: string | undefined) =>
    block?.info.replace(/ no-run$/, '') === `${language} title="${titles[language as Sample['language']]}"`
  return blocks.flatMap((block, i) => {
    const { at, info } = block
    if (info === 'json' && !isJson(block.code)) return [`${at} is no JSON`]
    if (forms.shown.test(info)) return []
    const [, language, title] = forms.sample.exec(info) ?? []
    if (language === undefined) return [`${at} is called "${info}"`]
    if (block.code.includes('…') && !info.endsWith(' no-run') && !isOfCommands(block.code))
      return [`${at} has … and cannot be pasted`]
    if (title === undefined) return []
    const place = order.indexOf(language)
    const group = order.map((_, k) => blocks[i - place + k])
    const isWhole =
      group.every((each, k) => isTitled(each, order[k])) && group.slice(1).every((each) => each!.isNext)
    return isWhole ? [] : [`${at} is not one of curl, SDK and PHP, right after one another`]
  })
}

const order = Object.keys(titles)

/**
 * The keys of a page's calls that are the same each time. One that the call makes up, by the time or at random, is nobody
 * else's.
 */
export const fixedKeys = (page: Page): string[] => [
  ...new Set(
    samplesIn(page).flatMap(({ language, code }) =>
      [...code.matchAll(keys[language])].map((match) => match.slice(1).find(Boolean)!),
    ),
  ),
]

const keys = {
  sh: /-H (?:'Idempotency-Key: ([^']+)'|"Idempotency-Key: ((?!.*\$\()[^"]+)")/g,
  ts: /idempotencyKey: (?:'([^']+)'|`([^`]+)`)/g,
  php: /call\('POST', (?:'[^']*'|"[^"]*"), (?:'([^']+)'|"([^"]+)")(?! \.)/g,
}

/** Calls of the API by another address than `$BASE`, in blocks of code and in indented ones. */
export function serviceAddressFaults({ path, text }: Page): string[] {
  return text
    .split('\n')
    .flatMap((line, i) =>
      [...line.matchAll(/\bcurl\b.*?(\$\w+|https?:\/\/[^/\s"]+)\/v1\b/g)]
        .filter(([, address]) => address !== '$BASE')
        .map(([, address]) => `${path}:${i + 1} has ${address}/v1, not $BASE`),
    )
}

/** Why a sample is not run, by its document and its first words. Where there is another way, it is run. */
export const reasonsNotToRun: Record<string, string> = {
  'README.md npm start': 'it is how the tests themselves begin; test/program/start.slow.test.ts',
  'docs/start.md useradd': 'makes a user of the machine, and services of systemd',
  'docs/start.md docker run': 'there is no Docker; npm run image builds and runs the image without',
  'docs/start.md cp deploy/compose': 'there is no Docker; test/deploy/containers.slow.test.ts reads the file',
  'docs/start.md kubectl': 'a cluster; test/deploy/containers.slow.test.ts reads the chart',
  'docs/start.md pesewa backup':
    'folders of a server; test/program/backup.slow.test.ts makes and restores one',
  'docs/start.md home=': 'needs a pg_dump of version 18, which npm does not have',
  'docs/guides/backups.md pesewa backup': 'folders of a server; test/program/backup.slow.test.ts makes one',
  'docs/guides/backups.md export': 'folders of a server; test/program/backup.slow.test.ts restores one',
  'docs/guides/backups.md tar': 'the data directory of a PostgreSQL that is yours',
  'docs/guides/benchmark.md npm run bench':
    'minutes of load; test/program/bench.slow.test.ts runs a small one',
  'docs/guides/connections.md pesewa connections list': 'a real connection to MTN',
  'docs/guides/connect-mpesa.md pesewa connections test': 'a real connection to M-Pesa',
  'docs/guides/console.md npm run -s pesewa -- users sign-in-link':
    'somebody who is a user; test/program/admin.slow.test.ts',
  'docs/guides/listen.md npm run -s pesewa -- listen':
    'ends with Ctrl-C only; test/program/listen.slow.test.ts',
  'docs/guides/operating.md curl -s "$BASE/v1/installation':
    'the token of an operator, of live; test/scenarios/installation',
  'docs/guides/reconciliation.md pesewa reconcile import':
    'a statement of a real provider; test/program/reconcile.slow.test.ts',
  'docs/guides/reconciliation.md pesewa reconcile close-day':
    'a day of a real provider; test/program/reconcile.slow.test.ts',
  'docs/guides/reconciliation.md pesewa reconcile reopen-day':
    'a day of a real provider; test/program/reconcile.slow.test.ts',
  'docs/guides/testing.md page=':
    'the page of a rail that comes a moment later; test/scenarios/checkout waits for it',
  'docs/guides/webhooks.md curl -N': 'a stream that never ends; test/scenarios/events',
  'docs/guides/rails/mpesa-daraja.md pesewa reconcile fetch': 'a real connection to M-Pesa',
  'docs/guides/rails/mtn-momo.md pesewa reconcile import': 'a file of the portal of MTN',
  'docs/guides/rails/pawapay.md pesewa reconcile fetch': 'a real connection to pawaPay',
}

/** Samples that say that they are not run, without a reason here; and reasons for none. */
export function notRunFaults(samples: Sample[]): string[] {
  const names = (name: string) => (sample: Sample) =>
    !sample.isRun && `${sample.at.replace(/:\d+$/, '')} ${sample.code}`.startsWith(name)
  const reasons = Object.keys(reasonsNotToRun)
  return [
    ...samples
      .filter((sample) => !sample.isRun && !reasons.some((name) => names(name)(sample)))
      .map(({ at }) => `${at} is not run, and nothing says why`),
    ...reasons.filter((name) => !samples.some(names(name))).map((name) => `no sample is ${name}`),
  ]
}

/** Runs what it is given after each sample, so that what one has begun has ended before the next. */
export const scripts = {
  sh: (samples: Sample[]) =>
    [shellPrelude, ...samples.map(({ at, code }) => `${code}\nended ${quoted(at)}`), ''].join('\n'),
  ts: (samples: Sample[]) =>
    [...samples.map(({ code }) => `${code}\nawait fetch(process.env.KIT!)`), 'export {}', ''].join('\n'),
  php: (samples: Sample[]) =>
    ['<?php', ...samples.map(({ code }) => `${code}\nfile_get_contents(getenv('KIT'));`), ''].join('\n'),
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/**
 * `curl` that ends with an error where the service refuses, and says what it said; `pesewa` without npm and in a process that has begun
 * already. What the response before had stands in variables: `ORDER_NUMBER`, `PAYMENT`, …
 */
const shellPrelude = `set -euo pipefail
curl() {
  local body code=0
  body=$(command curl --fail-with-body "$@") || code=$?
  printf '%s' "$body"
  printf '%s' "$body" > response
  if [[ $code != 0 || $body == *'"success":false'* ]]; then printf '%s\\n' "$body" >&2; return 1; fi
}
pesewa() {
  local words=() word
  for word; do words+=(--data-urlencode "word=$word"); done
  command curl -sS --fail-with-body "$KIT/pesewa" "\${words[@]}" || { echo "pesewa $*" >&2; return 1; }
}
npm() { while [[ $1 != -- ]]; do shift; done; shift; pesewa "$@"; }
settle() { eval "$(command curl -sS --data-binary @response "$KIT")"; : > response; }
ended() { settle; echo "ran $1" >&2; }
: > response
settle`
