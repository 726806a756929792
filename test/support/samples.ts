import type { Page } from '../tidy/documents.ts'

// The code samples in the documents: blocks of code that a reader can paste.

export type Sample = {
  /** Where the block begins: `docs/guides/checkout.md:27`. */
  at: string
  language: 'sh' | 'ts' | 'php' | 'python'
  title: string | undefined
  /** False if the block is marked `no-run`; `reasonsNotToRun` has the reason. */
  isRun: boolean
  code: string
}

/** The allowed info strings of a block: those of samples, and those of blocks that are only shown. */
const forms = {
  sample: /^(sh|ts|php|python)(?: title="(curl|SDK|PHP|Python)")?( no-run)?$/,
  shown: /^(?:|text|json|ini|sql|env|yaml|html)$/,
}
const titles = { sh: 'curl', ts: 'SDK', php: 'PHP', python: 'Python' }

/** `isNext`: only empty lines separate the block from the previous one. */
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
 * Returns an error for each program that a runnable sample starts and that has not been reviewed. Tests run as
 * root, so testing a document must not create users on the machine or delete its files.
 */
export function programIssues({ at, language, isRun, code }: Sample): string[] {
  if (language !== 'sh' || !isRun) return []
  const lines = code
    .replace(/\\\n/g, ' ')
    .replace(/'[^']*'|"(?:\\.|\$\([^)]*\)|[^"\\])*"/g, '""')
    .replace(/#.*$/gm, '')
    .split(/\n|\||;|&&|\$\(/)
  // Including substitutions within quotes.
  const inner = [...code.matchAll(/\$\(\s*([^\s)]+)/g)].map(([, program]) => program!)
  return [...lines, ...inner]
    .map((line) => line.trim().replace(/^(?:\w+=\S*\s*)+/, ''))
    .map((line) => /^[^\s)]*/.exec(line)![0])
    .filter((program) => program !== '' && !harmless.includes(program))
    .map((program) => `${at} runs ${program}, which has not been reviewed`)
}

/** Whether the code has only `pesewa` commands, which can be checked without being run. */
const isOfCommands = (code: string) =>
  code.split('\n').every((line) => /^(?:pesewa |npm run -s pesewa -- | {2}|#|$)/.test(line))

/** Whether a command needs a value that only the reader has, such as `spc-…`. */
export const isForReader = ({ code }: Sample) => code.includes('…') && isOfCommands(code)

/** Whether the code is JSON: a whole value, or members of an object. */
function isJson(code: string): boolean {
  for (const text of [code, `{${code}}`])
    try {
      JSON.parse(text)
      return true
    } catch {}
  return false
}

/**
 * Returns an error for each block in an unknown language, and for each call that is not shown with curl, the SDK
 * and PHP in a row. Python may follow.
 */
export function sampleIssues(page: Page): string[] {
  const blocks = blocksIn(page)
  const isTitled = (block: Block | undefined, language: string | undefined) =>
    block?.info.replace(/ no-run$/, '') === `${language} title="${titles[language as Sample['language']]}"`
  return blocks.flatMap((block, i) => {
    const { at, info } = block
    if (info === 'json' && !isJson(block.code)) return [`${at} is not valid JSON`]
    if (forms.shown.test(info)) return []
    const [, language, title] = forms.sample.exec(info) ?? []
    if (language === undefined) return [`${at} has the unknown info string "${info}"`]
    if (block.code.includes('…') && !info.endsWith(' no-run') && !isOfCommands(block.code))
      return [`${at} contains … and cannot be pasted`]
    if (title === undefined) return []
    const place = order.indexOf(language)
    const group = order.slice(0, Math.max(place + 1, required)).map((_, k) => blocks[i - place + k])
    const isWhole =
      group.every((each, k) => isTitled(each, order[k])) && group.slice(1).every((each) => each!.isNext)
    return isWhole ? [] : [`${at} is not one of curl, SDK and PHP in a row`]
  })
}

const order = Object.keys(titles)
/** The first languages of `order`, in which every call is shown. */
const required = 3

/**
 * Returns the idempotency keys on a page that are the same in every run. Keys that contain a time or a random
 * value are left out, because they are always unique.
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
  python: /call\('POST', (?:'[^']*'|"[^"]*"), '([^']+)'/g,
}

/**
 * Returns an error for each API call on a page that uses an address other than `$BASE`, in fenced and in
 * indented blocks.
 */
export function serviceAddressIssues({ path, text }: Page): string[] {
  return text
    .split('\n')
    .flatMap((line, i) =>
      [...line.matchAll(/\bcurl\b.*?(\$\w+|https?:\/\/[^/\s"]+)\/v1\b/g)]
        .filter(([, address]) => address !== '$BASE')
        .map(([, address]) => `${path}:${i + 1} has ${address}/v1, not $BASE`),
    )
}

/** Why a sample is not run, by its document and its first words. A sample that can be run must be run. */
export const reasonsNotToRun: Record<string, string> = {
  'README.md npm start': 'the tests themselves start this way; see test/program/start.slow.test.ts',
  'docs/guides/quickstart.md npm start':
    'the tests themselves start this way; see test/program/start.slow.test.ts',
  'docs/guides/high-availability.md systemctl stop etcd': 'needs the servers of the guide',
  'docs/guides/high-availability.md systemctl enable':
    'needs several machines; test/failover/ runs the same files on simulated ones',
  'docs/guides/high-availability.md set -a':
    'needs several machines; test/failover/ switches over with the same command',
  'docs/guides/high-availability.md # on db2':
    'needs several machines; test/failover/ builds a standby with the same commands',
  'docs/guides/install.md useradd': 'creates a user on the machine, and systemd services',
  'docs/guides/install.md docker run': 'needs Docker; npm run image builds and runs the image without it',
  'docs/guides/install.md cp deploy/compose':
    'needs Docker; test/deploy/containers.slow.test.ts reads the file',
  'docs/guides/install.md kubectl': 'needs a cluster; test/deploy/containers.slow.test.ts reads the chart',
  'docs/guides/install.md pesewa backup':
    'needs a server’s folders; test/program/backup.slow.test.ts makes and restores a backup',
  'docs/guides/install.md home=': 'needs pg_dump 18, which is not on npm',
  'docs/guides/add-a-protocol.md npm run new-rail':
    'changes the repository; test/program/new-rail.slow.test.ts runs it in a copy',
  'docs/guides/backups.md pesewa backup':
    'needs a server’s folders; test/program/backup.slow.test.ts makes a backup',
  'docs/guides/backups.md export':
    'needs a server’s folders; test/program/backup.slow.test.ts restores a backup',
  'docs/guides/archive.md pesewa archive':
    'needs old months; test/scenarios/finance/books/archive.slow.test.ts archives some',
  'docs/guides/personal-data.md curl': 'needs a person; see test/scenarios/operations/personal-data',
  'docs/guides/personal-data.md openssl': 'writes to the machine',
  'docs/guides/personal-data.md #!/bin/sh': 'needs a key service',
  'docs/guides/personal-data.md npm run -s pesewa -- keys':
    'changes the keys; see test/scenarios/operations/data-keys',
  'docs/guides/backups.md tar': 'needs the data directory of your own PostgreSQL',
  'docs/guides/benchmark.md npm run bench':
    'takes minutes; test/program/bench.slow.test.ts runs a small benchmark',
  'docs/guides/connections.md pesewa connections list': 'needs a real connection to MTN',
  'docs/guides/connect-mpesa.md pesewa connections test': 'needs a real connection to M-Pesa',
  'docs/guides/console.md npm run -s pesewa -- users sign-in-link':
    'needs an existing user; see test/program/admin.slow.test.ts',
  'docs/guides/listen.md npm run -s pesewa -- payments':
    'logs tail runs until it is stopped; see test/program/merchant-commands.slow.test.ts',
  'docs/guides/listen.md npm run -s pesewa -- listen':
    'runs until Ctrl-C; see test/program/listen.slow.test.ts',
  'docs/guides/operating.md curl -s "$BASE/v1/installation':
    'needs an operator’s live token; see test/scenarios/operations/installation',
  'docs/guides/runbooks.md pesewa doctor': 'needs systemd’s journal; see test/program/doctor.slow.test.ts',
  'docs/guides/runbooks.md systemctl': 'needs systemd',
  'docs/guides/runbooks.md journalctl': 'needs systemd’s journal',
  'docs/guides/runbooks.md docker exec': 'needs Docker or Kubernetes',
  'docs/guides/runbooks.md sudo -u postgres psql': 'turns synchronous replication off',
  'docs/guides/runbooks.md node -p': 'needs an id that a verification has printed',
  'docs/guides/runbooks.md for name in': 'pauses real connections',
  'docs/guides/runbooks.md ss -Htn': 'lists the connections of a busy node',
  'docs/guides/runbooks.md pesewa connections list': 'needs a real connection',
  'docs/guides/runbooks.md home=': 'needs psql, which is not on npm',
  'docs/guides/runbooks.md curl -si': 'calls a service on the internet',
  'docs/guides/tracing.md printf':
    'prints the same for everyone; see packages/server/src/platform/tracing/trace-ids.test.ts',
  'docs/guides/tracing.md docker run':
    'needs Docker; test/scenarios/platform/tracing.slow.test.ts has a receiver',
  'docs/guides/reconciliation.md pesewa reconcile import':
    'needs a real provider’s statement; see test/program/reconcile.slow.test.ts',
  'docs/guides/reconciliation.md pesewa reconcile close-day':
    'needs a day with a real provider; see test/program/reconcile.slow.test.ts',
  'docs/guides/reconciliation.md pesewa reconcile reopen-day':
    'needs a day with a real provider; see test/program/reconcile.slow.test.ts',
  'docs/guides/testing.md page=':
    'the rail’s page appears a moment later; test/scenarios/ways-to-pay/checkout waits for it',
  'docs/guides/webhooks.md curl -N': 'the stream never ends; see test/scenarios/events',
  'packages/rails/mpesa-daraja/guide.md pesewa reconcile fetch': 'needs a real connection to M-Pesa',
  'packages/rails/mtn-momo/guide.md pesewa reconcile import': 'needs a file from MTN’s portal',
  'packages/rails/pawapay/guide.md pesewa reconcile fetch': 'needs a real connection to pawaPay',
}

/** Returns an error for each `no-run` sample without a reason, and for each reason without a sample. */
export function notRunIssues(samples: Sample[]): string[] {
  const names = (name: string) => (sample: Sample) =>
    !sample.isRun && `${sample.at.replace(/:\d+$/, '')} ${sample.code}`.startsWith(name)
  const reasons = Object.keys(reasonsNotToRun)
  return [
    ...samples
      .filter((sample) => !sample.isRun && !reasons.some((name) => names(name)(sample)))
      .map(({ at }) => `${at} is not run, and no reason is given`),
    ...reasons.filter((name) => !samples.some(names(name))).map((name) => `no sample matches ${name}`),
  ]
}

/**
 * Build one script from the samples in a language. After each sample, the script calls the test, so that
 * everything the sample started finishes before the next one.
 */
export const scripts = {
  sh: (samples: Sample[]) =>
    [shellPrelude, ...samples.map(({ at, code }) => `${code}\nended ${quoted(at)}`), ''].join('\n'),
  ts: (samples: Sample[]) =>
    [...samples.map(({ code }) => `${code}\nawait fetch(process.env.KIT!)`), 'export {}', ''].join('\n'),
  python: (samples: Sample[]) =>
    [
      'import os, urllib.request',
      ...samples.map(({ code }) => `${code}\nurllib.request.urlopen(os.environ['KIT']).read()`),
      '',
    ].join('\n'),
  php: (samples: Sample[]) =>
    ['<?php', ...samples.map(({ code }) => `${code}\nfile_get_contents(getenv('KIT'));`), ''].join('\n'),
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/**
 * Redefines `curl` to fail with the response if the service refuses a call, and `pesewa` to run in a process
 * that is already running, without npm. Values from the previous response are in variables: `ORDER_NUMBER`,
 * `PAYMENT`, …
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
