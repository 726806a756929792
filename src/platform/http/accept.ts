/** What a client says it takes (`Accept-Language`, `Accept-Encoding`), best first, in lower case, without its refusals. */
export function acceptedBy(header: string | undefined): string[] {
  return (header ?? '')
    .slice(0, maxAcceptLength)
    .split(',')
    .map(readPart)
    .filter(({ name, quality }) => name !== '' && quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
    .map(({ name }) => name)
}

/** The language that a client prefers of some; the first of them where it names none. */
export function languageAccepted<Language extends string>(
  header: string | undefined,
  languages: readonly [Language, ...Language[]],
): Language {
  for (const tag of acceptedBy(header)) {
    const language = languages.find((one) => tag.split('-', 1)[0] === one)
    if (language) return language
  }
  return languages[0]
}

/** More than any browser sends. */
const maxAcceptLength = 500 // limit: how much is read of a browser’s `Accept-…` headers

function readPart(part: string) {
  const [name = '', ...parameters] = part.toLowerCase().split(';')
  const [, weight] = parameters.map((each) => /^\s*q\s*=\s*(.*)$/.exec(each)).find(Boolean) ?? []
  const quality =
    weight === undefined ? 1 : Number(/^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*$/.exec(weight)?.[0])
  return { name: name.trim(), quality: Number.isNaN(quality) ? 0 : quality }
}
