// Runs unchanged in browsers, and on the server for readers who do not use JavaScript.

const maxQueryWords = 8
const maxHits = 20 // results per documentation search

const excerptCharacters = 160
const leadCharacters = 50

/** Creates an index of sections. If there are many, they should be added in chunks. */
export const newIndex = (MiniSearch) =>
  new MiniSearch({
    idField: 'address',
    fields: ['heading', 'page', 'text'],
    storeFields: ['heading', 'page', 'text'],
    // Names such as `financialAccountId` and `POST /v1/payouts` are indexed as a whole and by their parts.
    tokenize: (text) => [...partsOf(text)],
    searchOptions: {
      boost: { heading: 4, page: 2 },
      prefix: (term) => term.length > 1,
      fuzzy: (term) => (term.length > 4 && term.length < 25 ? 0.2 : false),
      maxFuzzy: 2,
      // Guides are ranked first, because readers who are looking for a call search for its name.
      boostDocument: (address) => boosts[address.split('/', 1)[0]] ?? 1,
    },
  })

const boosts = { decisions: 0.4, guides: 1.5 }

function* partsOf(text) {
  for (const [word] of text.matchAll(/[\p{L}\p{N}_]+/gu)) {
    yield word
    const parts = word.split(/_|(?<=\p{Ll})(?=\p{Lu})/u)
    if (parts.length > 1) yield* parts.filter((part) => part !== '')
  }
}

/**
 * Returns the sections that contain all words of the query. If there are none, returns those that contain some
 * of the words.
 */
export function search(index, query) {
  const words = wordsOf(query)
  if (words.length === 0) return []
  const question = words.join(' ')
  const strict = index.search(question, { combineWith: 'AND' })
  const found = strict.length > 0 ? strict : index.search(question)
  const address = addressIn(query)
  const isCall = ({ text }) => address !== undefined && addressIn(text) === address
  return [...found.filter(isCall), ...found.filter((hit) => !isCall(hit))]
    .slice(0, maxHits)
    .map(({ id, heading, page, text, terms }) => ({
      address: id,
      page,
      heading: marked(heading, terms),
      excerpt: marked(excerptOf(text, terms), terms),
    }))
}

/**
 * Returns the path in a query, such as `/v1/payouts` in `POST /v1/payouts`. A query that contains a path is a
 * search for that call.
 */
const addressIn = (text) =>
  /^(?:(?:GET|POST|PATCH|DELETE) )?(\/v1\/\S+)/i.exec(text.trim())?.[1]?.toLowerCase()

const wordsOf = (query) => (query.match(/[\p{L}\p{N}_]+/gu) ?? []).slice(0, maxQueryWords)

/** Returns an excerpt of the text around the first search term. */
function excerptOf(text, terms) {
  const first = patternOf(terms)?.exec(text)?.index ?? 0
  const from = first > leadCharacters ? text.lastIndexOf(' ', first - leadCharacters) + 1 : 0
  const stretch = text.slice(from, from + excerptCharacters)
  const whole = from + excerptCharacters >= text.length ? stretch : stretch.replace(/\s\S*$/, '')
  return `${from > 0 ? '… ' : ''}${whole}${whole === stretch ? '' : ' …'}`
}

/** Splits a text into pieces. Every second piece is a search term. */
const marked = (text, terms) => {
  const pattern = patternOf(terms)
  return pattern ? text.split(pattern) : [text]
}

const patternOf = (terms) =>
  terms.length > 0
    ? new RegExp(`(?<![\\p{L}\\p{N}])(${terms.toSorted((a, b) => b.length - a.length).join('|')})`, 'iu')
    : undefined
