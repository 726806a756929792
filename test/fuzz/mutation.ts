import fc from 'fast-check'

/** Words and field names in a rail's documents. */
export type Vocabulary = { words: readonly string[]; names: readonly string[] }

/** A change to a document. A number of any size selects a place in it, or an alternative. */
type Mutation =
  | { change: 'value'; at: number; value: unknown }
  | { change: 'tweak'; at: number; way: number }
  | { change: 'remove'; at: number }
  | { change: 'add'; at: number; name: string; value: unknown }
  | { change: 'twice'; at: number; isFirst: boolean; value: unknown }
  | { change: 'rename'; at: number; way: number }
  | { change: 'wrap'; at: number; inList: boolean }
  | { change: 'swap'; at: number; other: number }

/** Creates a number that is written to JSON literally, even if a double cannot represent it. */
const raw = (text: string): unknown => JSON.rawJSON(text)

const foreign = [
  '0b54a2ae-52c6-4f0a-8d3e-7d1f0c9a1b2c',
  ...['USD', 'XOF', 'XXX', 'sle', 'EUR', '1', '0', '15.5', '1550', '15.505', '-15.50', '1.55e1', '15,50'],
  ...[' 15.50', '0x10', '١٥', '1e400', 'NaN', 'null', 'true', '', ' ', '__proto__', 'constructor'],
  ...['x'.repeat(300), '\u0000', '\u202e', 'https://evil.example/pay', 'javascript:alert(1)', '2016-01-01'],
]
const junk = [
  ...[null, true, false, 0, 1, -1, 15.5, [], {}, [{}], ['']],
  ...['-0', '1e21', '1e400', '9007199254740993', '-9007199254740993', '1E2', '0.1e1'].map(raw),
]

export const vocabularyOf = (documents: readonly unknown[], words: readonly string[]): Vocabulary => {
  const leaves = documents.flatMap(placesIn).map(({ holder, key }) => [key, holder[key]] as const)
  const strings = leaves.flatMap(([, value]) => (typeof value === 'string' ? [value] : []))
  const names = leaves.flatMap(([name]) => (/^[0-9]+$/.test(name) ? [] : [name]))
  return { words: [...new Set([...words, ...strings])], names: [...new Set([...names, '__proto__'])] }
}

export const mutationsWith = ({ words, names }: Vocabulary): fc.Arbitrary<Mutation[]> => {
  const at = fc.nat(10_000)
  const way = fc.nat(10_000)
  const word = fc.constantFrom<unknown>(...words)
  const value = fc.oneof(
    { weight: 6, arbitrary: word },
    { weight: 2, arbitrary: fc.constantFrom<unknown>(...foreign) },
    { weight: 2, arbitrary: fc.constantFrom<unknown>(...junk) },
  )
  const name = fc.constantFrom(...names)
  const mutation = fc.oneof(
    { weight: 10, arbitrary: fc.record({ change: fc.constant('value' as const), at, value }) },
    { weight: 4, arbitrary: fc.record({ change: fc.constant('tweak' as const), at, way }) },
    { weight: 3, arbitrary: fc.record({ change: fc.constant('remove' as const), at }) },
    { weight: 3, arbitrary: fc.record({ change: fc.constant('add' as const), at, name, value }) },
    {
      weight: 2,
      arbitrary: fc.record({ change: fc.constant('twice' as const), at, isFirst: fc.boolean(), value }),
    },
    { weight: 1, arbitrary: fc.record({ change: fc.constant('rename' as const), at, way }) },
    { weight: 1, arbitrary: fc.record({ change: fc.constant('wrap' as const), at, inList: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ change: fc.constant('swap' as const), at, other: fc.nat(10_000) }) },
  )
  return fc.array(mutation, { maxLength: 3 })
}

/** Returns a changed document as JSON: fields may be missing, have another type, or occur twice. */
export function mutated(document: unknown, mutations: readonly Mutation[]): string {
  const root: Holder = { whole: copied(document) }
  for (const mutation of mutations) apply(root, mutation)
  return (JSON.stringify(root.whole) ?? '').replaceAll(secondMark, '')
}

type Holder = Record<string, unknown>
type Place = { holder: Holder; key: string }

/** Marks the second of two equal names; removed from the text. */
const second = '\u0001'
const secondMark = '\\u0001'

/** Whether a value has fields. The fields of a list are its indexes; a literal number has none. */
const isHolder = (value: unknown): value is Holder =>
  typeof value === 'object' && value !== null && !('rawJSON' in value)

function placesIn(value: unknown): Place[] {
  if (!isHolder(value)) return []
  return Object.keys(value).flatMap((key) => [{ holder: value, key }, ...placesIn(value[key])])
}

function apply(root: Holder, mutation: Mutation): void {
  const places = placesIn(root)
  const placeAt = (at: number) => places[at % places.length] ?? { holder: root, key: 'whole' }
  const { holder, key } = placeAt(mutation.at)
  const value = holder[key]
  switch (mutation.change) {
    case 'value':
      set(holder, key, mutation.value)
      break
    case 'tweak':
      set(holder, key, tweaked(value, mutation.way))
      break
    case 'remove':
      delete holder[key]
      break
    case 'add':
      if (isHolder(value)) set(value, mutation.name, mutation.value)
      break
    case 'twice':
      double(holder, key, mutation)
      break
    case 'rename':
      delete holder[key]
      set(holder, renamed(key, mutation.way), value)
      break
    case 'wrap':
      set(holder, key, mutation.inList ? [value] : { [key]: value })
      break
    case 'swap':
      swap({ holder, key }, placeAt(mutation.other))
  }
}

/** Swaps two values that contain no others; otherwise a value could end up inside itself. */
function swap(one: Place, other: Place): void {
  const [value, otherValue] = [one.holder[one.key], other.holder[other.key]]
  if (isHolder(value) || isHolder(otherValue)) return
  set(one.holder, one.key, otherValue)
  set(other.holder, other.key, value)
}

/** Sets a field, even if its name is `__proto__`. */
function set(holder: Holder, key: string, given: unknown): void {
  const value = copied(given)
  Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true })
}

/** Copies a value, so that a change to one document does not affect another. */
function copied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copied)
  if (!isHolder(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, copied(each)]))
}

/** Gives a name two values; JSON parsers use the last. */
function double(holder: Holder, key: string, { isFirst, value }: { isFirst: boolean; value: unknown }): void {
  if (Array.isArray(holder)) return
  const original = holder[key]
  set(holder, key, isFirst ? value : original)
  set(holder, `${key}${second}`, isFirst ? original : value)
}

const renamed = (name: string, way: number): string =>
  [name.toUpperCase(), name.toLowerCase(), `${name} `, name.slice(1), `_${name}`][way % 5] ?? name

function tweaked(value: unknown, way: number): unknown {
  if (typeof value === 'number') return numbersLike(value)[way % 8]
  if (typeof value !== 'string') return JSON.stringify(value)
  const asNumber = /^[0-9.]{1,12}$/.test(value) ? raw(String(Number(value) || 0)) : value
  return [
    ...[value.toLowerCase(), value.toUpperCase(), ` ${value}`, `${value} `, `${value}0`, value.slice(0, -1)],
    ...[asNumber, `-${value}`, [value], `${value}\u200b`, value.replace('.', ','), value + value],
  ][way % 12]
}

const numbersLike = (value: number) => [
  ...[-value, value * 100, value / 100, value + 1, String(value), value + 0.5, [value]],
  raw(value === 0 ? '0e9' : `${value}${'0'.repeat(18)}`),
]
