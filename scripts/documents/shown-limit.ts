import { parseDuration } from '../../packages/server/src/platform/duration.ts'

/**
 * Formats a limit from its line of code: `const maxBodyBytes = 256 * 1024` becomes 256 KiB. The unit comes from the
 * name.
 *
 * @throws if the line contains no value
 */
export function showLimit(line: string): string {
  const { name = '', value = line } =
    /^(?:export )?(?:const )?(?<name>\w+)(?:: \w+)?(?: =|:) (?<value>.+?),?$/.exec(line)?.groups ?? {}
  const number = numberOf(value)
  const shown =
    (number === undefined ? undefined : showNumber(name, number)) ??
    charactersIn(line) ??
    boundsIn(line, name) ??
    durationsIn(value) ??
    ratesIn(value)
  if (!shown) throw new Error(`This limit has no value on its line: ${line}`)
  return shown
}

/** Evaluates a number, a product of numbers, or a duration. */
function numberOf(value: string): number | undefined {
  const duration = /^durationMs\('(\w+)'\)$/.exec(value)
  if (duration) return parseDuration(duration[1]!)
  const factors = value.split(' * ')
  if (!factors.every((factor) => /^\d[\d_]*n?$/.test(factor))) return undefined
  return factors
    .map((factor) => Number(factor.replace(/[_n]/g, '')))
    .reduce((product, factor) => product * factor)
}

/** Formats a number in the unit that its name ends in. */
export function showNumber(name: string, value: number): string {
  if (name.endsWith('Ms')) return showDuration(value)
  if (name.endsWith('Bytes')) return showBytes(value)
  return spaced(value) + (name.endsWith('Length') ? ' characters' : '')
}

/** Formats a duration in the largest unit that divides it. */
function showDuration(ms: number): string {
  if (ms < 1_000) return `${ms} ms`
  const units = { d: 86_400_000, h: 3_600_000, m: 60_000 }
  const [unit, size] = Object.entries(units).find(([, size]) => ms % size === 0) ?? ['s', 1_000]
  return `${spaced(ms / size)} ${unit}`
}

function showBytes(bytes: number): string {
  if (bytes % 2 ** 20 === 0) return `${bytes / 2 ** 20} MiB`
  return bytes % 1024 === 0 ? `${bytes / 1024} KiB` : `${spaced(bytes)} bytes`
}

const spaced = (value: number) => String(value).replace(/\B(?=(?:\d{3})+$)/g, ' ')

/** Formats a pattern such as `/^[0-9A-Z]{6,20}$/`. */
function charactersIn(line: string): string | undefined {
  const [, min, max] = /\{(\d+),(\d+)\}\$\//.exec(line) ?? []
  return max && `${min} to ${max} characters`
}

/** Formats `'1h'`, `duration('5m', '7d')` or a list of durations. */
function durationsIn(value: string): string | undefined {
  const all = [...value.matchAll(/'(\d+[smhd])'/g)].map(([, text]) => showDuration(parseDuration(text!)!))
  return all.length > 0 ? all.join(value.includes('duration(') ? ' to ' : ', ') : undefined
}

/** Formats bounds such as `{ minItems: 1, maxItems: 16 }`. */
function boundsIn(line: string, name: string): string | undefined {
  const units: Record<string, string> = { Items: ' entries', Length: ' characters', Properties: ' keys' }
  const bound = (end: 'min' | 'max') =>
    new RegExp(`\\b${end}(Items|Length|imum|Properties): ([\\d_]+)`).exec(line)
  const [min, max] = [bound('min'), bound('max')]
  if (!max) return undefined
  const show = ([, of, value]: RegExpExecArray) => showNumber(of === 'imum' ? name : '', numberOf(value!)!)
  return `${min ? `${show(min)} to` : 'at most'} ${show(max)}${units[max[1]!] ?? ''}`
}

/**
 * Formats rates such as `{ maxAtOnce: 16, maxPerSecond: 50 }`, and pauses such as `{ firstMs: 10_000,
 * longestMs: 300_000 }`.
 */
function ratesIn(value: string): string | undefined {
  const words = {
    maxAtOnce: ' at a time',
    maxPerSecond: ' started per second',
    firstMs: ' at first',
    longestMs: ' at most',
  }
  const shown = Object.entries(words).flatMap(([name, words]) => {
    const [, number] = new RegExp(`\\b${name}: ([\\d_]+)`).exec(value) ?? []
    return number ? [showNumber(name, numberOf(number)!) + words] : []
  })
  return shown.length > 0 ? shown.join(', ') : undefined
}
