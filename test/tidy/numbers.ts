import { showLimit } from '../../scripts/documents/shown-limit.ts'
import type { Page } from './documents.ts'
import { testNames } from './facts.ts'
import { lineAt, type Source } from './sources.ts'

/**
 * A number that documents state, and where it comes from. `says` are the words of the documents around it, the same in each; `by` is
 * one of
 *
 * - `limit: what it bounds`, a row of docs/reference/limits.md;
 * - `setting: NAME`, its default;
 * - `test: its name`, which has the number;
 * - `src/x.ts: const retentionMs = 7 * 86_400_000`, a line that is there;
 * - `derived: of what`, `not ours: whose`, `measured: where`, `no promise: why`: nobody checks it.
 */
export type StatedNumber = { says: string; by: string }

const word =
  'two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty|fifty|sixty|hundred|thousand|million'
const words: Record<string, number> = Object.fromEntries(
  word
    .split('|')
    .map((each, i) => [each, [2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 30, 40, 50, 60, 100, 1_000, 1e6][i]!]),
)
const digits = '(?:\\d{1,3}(?: \\d{3})+|\\d+)(?:\\.\\d+)?'
const kinds: [RegExp, number][] = [
  [/^ms$/, 1],
  [/^(?:s|seconds?)$/, 1_000],
  [/^(?:m|minutes?)$/, 60_000],
  [/^(?:h|hours?)$/, 3_600_000],
  [/^(?:d|days?)$/, 86_400_000],
  [/^weeks?$/, 604_800_000],
  [/^KB$|^KiB$/, 1_024],
  [/^MB$|^MiB$/, 1_048_576],
  [/^GB$|^GiB$/, 1_073_741_824],
]
const unit =
  'ms|s|m|h|d|seconds?|minutes?|hours?|days?|weeks?|KB|KiB|MB|MiB|GB|GiB|bytes|percent|times|attempts?|characters|digits|requests|refunds|lines'
const claimForm = new RegExp(`(?<![\\w.…-])(${digits}|${word})(?:\\s+(${unit})\\b| ?(%))`, 'g')

/** Every number with a unit that is prose: neither code nor a table of facts, which has its own test. */
export function claimsIn({ path, text }: Page): { at: string; index: number; text: string }[] {
  const prose = blanked(text, [
    /^( *)```[\s\S]*?^\1```/gm,
    /^ {4}.*$/gm,
    /`[^`\n]*`/g,
    /^\| fact \| test \|\n(?:\|.*\n?)+/gm,
    /\]\([^)]*\)/g,
  ])
  return [...prose.matchAll(claimForm)].map(({ 0: found, index }) => ({
    at: `${path}:${lineAt(text, index)}`,
    index,
    text: found,
  }))
}

const blanked = (text: string, forms: RegExp[]) =>
  forms.reduce((rest, form) => rest.replace(form, (part) => part.replace(/[^\n]/g, ' ')), text)

/** `15 s` and `15_000 ms` are one quantity; what is no time and no size counts for itself. */
export function quantitiesIn(text: string): Set<number> {
  const plain = text.replace(/(?<=\d)_(?=\d)/g, '')
  return new Set(
    [...plain.matchAll(new RegExp(`(?<![\\w.])(${digits}|\\b(?:${word})\\b)\\s*([A-Za-z]+)?`, 'g'))].map(
      ([, number, of = '']) => {
        const value = words[number!] ?? Number(number!.replaceAll(' ', ''))
        const factor = kinds.find(([form]) => form.test(of))?.[1] ?? 1
        return Math.round(value * factor)
      },
    ),
  )
}

const spacedAlike = (text: string) => text.replace(/\s+/g, ' ')

/** Numbers of a page that no entry has. */
export function unstated(page: Page, stated: StatedNumber[]): string[] {
  const flat = page.text.replace(/\s/g, ' ')
  const covered = stated.flatMap(({ says }) => rangesOf(flat, says))
  return claimsIn(page)
    .filter(({ index, text }) => !covered.some(([from, to]) => from <= index && index + text.length <= to))
    .map(({ at, text }) => `${at} ${spacedAlike(text)}`)
}

/** Where the words stand; a line may break between any two. */
function rangesOf(flat: string, says: string): [number, number][] {
  const form = new RegExp(
    says
      .split(' ')
      .map((each) => each.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join(' +'),
    'g',
  )
  return [...flat.matchAll(form)].map(({ 0: found, index }) => [index, index + found.length])
}

export const isUnchecked = ({ by }: StatedNumber) => /^(?:derived|not ours|measured|no promise): /.test(by)

type Evidence = { limits: string; settings: string; tests: Source[]; sources: Source[] }

/** Entries that nothing states, that nothing proves, or that something proves otherwise. */
export function statedFaults({ says, by }: StatedNumber, pages: Page[], evidence: Evidence): string[] {
  const [kind, rest = ''] = splitOnce(by, ': ')
  if (!pages.some(({ text }) => rangesOf(text.replace(/\s/g, ' '), says).length > 0))
    return [`no document says "${says}"`]
  if (isUnchecked({ says, by })) return rest === '' ? [`"${says}" has no reason`] : []
  if (says.replace(claimForm, '').match(/\p{L}{2,}/gu) === null)
    return [`"${says}" says too little about what it is`]
  const shown = evidenceOf(kind, rest, evidence)
  if (shown === undefined) return [`"${says}": there is no ${by}`]
  const there = quantitiesIn(shown)
  const missing = [...quantitiesIn((says.match(claimForm) ?? []).join('; '))].filter(
    (value) => !there.has(value),
  )
  return missing.length > 0 ? [`"${says}" is not what ${kind} ${rest} has: ${shown}`] : []
}

function evidenceOf(
  kind: string,
  rest: string,
  { limits, settings, tests, sources }: Evidence,
): string | undefined {
  if (kind === 'limit') {
    const shown = cellsOf(limits, ([what]) => what === rest)
    // Such a limit has no unit in its name.
    return /^days /.test(rest) ? `${shown} days` : shown
  }
  if (kind === 'setting') {
    const name = `\`${rest}\``
    return cellsOf(limits, (cells) => cells[2] === name) ?? cellsOf(settings, ([first]) => first === name)
  }
  if (kind === 'test') return testNames(tests).find(({ name }) => name === rest)?.name
  const source = sources.find(({ path }) => path === kind)
  // Of a line whose name says nothing, as of a table: `…, in seconds`.
  const [, text = '', of] = /^(.*?)(?:, in (seconds|days))?$/.exec(rest) ?? []
  const lines = source?.text.split('\n').filter((line) => line.includes(text)) ?? []
  if (lines.length === 1 && of) return text.replace(/\b\d+\b/g, `$& ${of}`)
  return lines.length === 1 ? `${text}; ${showLimit(text, source!.text)}` : undefined
}

/** The value of the one row of a table that is meant. */
function cellsOf(page: string, isMeant: (cells: string[]) => boolean): string | undefined {
  const rows = page
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
    .filter(isMeant)
  return rows.length === 1 ? rows[0]![1] : undefined
}

function splitOnce(text: string, by: string): [string, string?] {
  const at = text.indexOf(by)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + by.length)]
}
