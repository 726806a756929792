import { parseDuration } from '../../src/platform/duration.ts'
import { code } from './markdown.ts'

/**
 * Formats a limit from its line of code: `const maxBodyBytes = 256 * 1024` becomes 256 KiB. The unit comes from
 * the name. Anything but a number, duration or schema limit is shown as code.
 *
 * @param text the file, for its other constants
 */
export function showLimit(line: string, text = ''): string {
  const form = /\/\^.*\$\//.exec(line)?.[0]
  if (form) return code(form)
  const { name, value } = declarationIn(line)
  const number = numberOf(value, text)
  return (
    boundsIn(line, name, text) ??
    (number === undefined ? undefined : showNumber(name, number)) ??
    durationsIn(value) ??
    partsOf(name, value, text) ??
    code(value)
  )
}

/** Matches `export const name: Type = value` and `name: value,`; other lines have no name. */
function declarationIn(line: string): { name: string; value: string } {
  const match = /^(?:export )?(?:const )?(\w+)(?:: [^=]+(?= = ))?(?: =|:) (.+?),?$/.exec(line)
  return match ? { name: match[1]!, value: match[2]! } : { name: '', value: line }
}

/** Evaluates a number, a product of numbers, or a constant of the same file. */
function numberOf(value: string, text: string): number | undefined {
  const duration = /^(?:parseDuration|durationMs)\('(\w+)'\)!?$/.exec(value)
  if (duration) return parseDuration(duration[1]!)
  return value.split(' * ').reduce<number | undefined>((product, factor) => {
    const number = factorOf(factor, text)
    return product === undefined || number === undefined ? undefined : product * number
  }, 1)
}

function factorOf(factor: string, text: string): number | undefined {
  if (/^\d[\d_]*n?$/.test(factor)) return Number(factor.replace(/[_n]/g, ''))
  if (!/^[a-zA-Z]\w*$/.test(factor)) return undefined
  const constant = new RegExp(`^(?:export )?const ${factor} = ([^/\\n]+?)(?: //.*)?$`, 'm').exec(text)
  return constant ? numberOf(constant[1]!, text) : undefined
}

/** Formats a number in the unit that its name ends in. */
export function showNumber(name: string, value: number): string {
  if (/(?:Ms|Millis|_timeout)$/.test(name)) return showDuration(value)
  if (name.endsWith('Seconds')) return showDuration(value * 1_000)
  if (/(?:Bytes|HeaderSize)$/.test(name)) return showBytes(value)
  return spaced(value) + (units.find(([ending]) => ending.test(name))?.[1] ?? '')
}

const units: [RegExp, string][] = [
  [/Length$/, ' characters'],
  [/Septets$/, ' septets'],
]

const durations: [string, number][] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
]

/**
 * Formats a duration in the largest unit that divides it; fractions of seconds in seconds, less than one second
 * in milliseconds.
 */
function showDuration(ms: number): string {
  const [unit, size] = durations.find(([, size]) => ms >= size && ms % size === 0) ?? ['s', 1_000]
  return ms < 1_000 ? `${ms} ms` : `${spaced(ms / size)} ${unit}`
}

const showBytes = (bytes: number) => (bytes % 1024 === 0 ? `${bytes / 1024} KiB` : `${spaced(bytes)} bytes`)

const spaced = (value: number) => String(value).replace(/\B(?=(?:\d{3})+$)/g, ' ')

/** Parses `'1h'`, `duration('5m', '7d')` or a list of durations. */
function durationsIn(value: string): string | undefined {
  const [first, second, ...more] = [...value.matchAll(/'(\d+[smhd])'/g)].map(([, text]) =>
    showDuration(parseDuration(text!)!),
  )
  if (first === undefined || /^'\w+'$/.test(value)) return first
  if (/\bduration\(/.test(value)) return `${first} to ${second}`
  return [first, second, ...more].join(', ')
}

const unitsOfBounds: Record<string, string> = {
  Items: ' entries',
  Length: ' characters',
  Properties: ' keys',
}

/** Parses the limits of a schema in one line: `{ minItems: 1, maxItems: 16 }`. */
function boundsIn(line: string, name = '', text = ''): string | undefined {
  const found = [...line.matchAll(/\b(min|max)(Items|Length|imum|Properties): (\w+)/g)]
  const [min, max] = ['min', 'max'].map((end) => found.find(([, which]) => which === end))
  if (!max) return undefined
  const show = ([, , of, value]: RegExpExecArray) => {
    const number = numberOf(value!, text)
    if (number === undefined) throw new Error(`the value of a limit is not in its file: ${line}`)
    return of === 'imum' ? showNumber(name, number) : spaced(number)
  }
  return `${min ? `${show(min)} to` : 'at most'} ${show(max)}${unitsOfBounds[max[2]!] ?? ''}`
}

const partNames: Record<string, string> = {
  firstMs: ' at first',
  longestMs: ' at most',
  maxAtOnce: ' at once',
  maxPerSecond: ' begun in a second',
  perSecond: ' a second',
}

/** Formats `{ firstMs: 10_000, longestMs: 300_000 }` as "10 s at first, 5 m at most". */
function partsOf(name: string, value: string, text: string): string | undefined {
  const parts = /^\{ (.+) \}$/.exec(value)?.[1]?.split(', ') ?? []
  const shown = parts.flatMap((part) => {
    const [key, of = ''] = part.split(': ') as [string, string?]
    const number = numberOf(of, text)
    return number === undefined
      ? []
      : [showNumber(key in partNames ? key : name, number) + (partNames[key] ?? '')]
  })
  return shown.length > 0 ? shown.join(', ') : undefined
}
