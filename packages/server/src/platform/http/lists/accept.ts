/**
 * Returns the values of an `Accept-Language` or `Accept-Encoding` header in lower case, with the most preferred
 * value first. Values with a quality of 0 are left out.
 */
export function acceptedValues(header: string | undefined): string[] {
  return partsOf(header)
    .filter(({ name, quality }) => name !== '' && quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
    .map(({ name }) => name)
}

/**
 * Returns the offered media type that the client prefers, the first one if there is no `Accept` header, or
 * `undefined` if the client accepts none of them. If several are equally preferred, the one that matches the
 * most specific range in the header is returned, and among those, the first.
 */
export function preferredMediaType(header: string | undefined, types: readonly string[]): string | undefined {
  const parts = partsOf(header).filter(({ name }) => name !== '')
  if (parts.length === 0) return types[0]
  return types
    .flatMap((type) => {
      const ranges = [type, `${type.split('/', 1)[0]}/*`, '*/*']
      const [part] = ranges.flatMap((range) => parts.filter(({ name }) => name === range))
      if (!part || part.quality === 0) return []
      return { type, quality: part.quality, width: ranges.indexOf(part.name), place: parts.indexOf(part) }
    })
    .toSorted((a, b) => b.quality - a.quality || a.width - b.width || a.place - b.place)[0]?.type
}

/**
 * Returns whether `Accept` lists `type` and prefers it to `other`. If the header also lists `other`, the
 * quality of `type` must be higher; otherwise, it must be at least that of a wildcard that matches `other`.
 */
export function prefersType(accept: string | undefined, type: string, other: string): boolean {
  const parts = partsOf(accept)
  const qualityOf = (name: string) => parts.find((part) => part.name === name)?.quality
  const [quality = 0, otherQuality] = [qualityOf(type), qualityOf(other)]
  if (otherQuality !== undefined) return quality > otherQuality
  const [family = ''] = other.split('/')
  return quality > 0 && quality >= (qualityOf(`${family}/*`) ?? qualityOf('*/*') ?? 0)
}

/** Returns the offered language that the client prefers, or the first one if the client accepts none of them. */
export function preferredLanguage<Language extends string>(
  header: string | undefined,
  languages: readonly [Language, ...Language[]],
): Language {
  for (const tag of acceptedValues(header)) {
    const language = languages.find((one) => tag.split('-', 1)[0] === one)
    if (language) return language
  }
  return languages[0]
}

/** Long enough for the headers that browsers send. */
const maxAcceptLength = 500 // characters read of a browser’s `Accept` and `Accept-…` headers

const partsOf = (header = '') => header.slice(0, maxAcceptLength).split(',').map(readPart)

function readPart(part: string) {
  const [name = '', ...parameters] = part.toLowerCase().split(';')
  const [, weight] = parameters.map((each) => /^\s*q\s*=\s*(.*)$/.exec(each)).find(Boolean) ?? []
  const quality =
    weight === undefined ? 1 : Number(/^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*$/.exec(weight)?.[0])
  return { name: name.trim(), quality: Number.isNaN(quality) ? 0 : quality }
}
