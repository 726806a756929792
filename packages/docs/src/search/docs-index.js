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
    storeFields: ['heading', 'page', 'text', 'isRow'],
    // Names such as `financialAccountId` and `POST /v1/payouts` are indexed as a whole and by their parts.
    tokenize: (text) => [...partsOf(text)],
    processTerm: stemOf,
    searchOptions: {
      boost: { heading: 5, page: 3 },
      maxFuzzy: 2,
      boostDocument: (address, _term, { isRow }) =>
        isRow ? 0.4 : (boosts.find(([form]) => form.test(address))?.[1] ?? 1),
    },
  })

/**
 * Guides come first, because readers who are looking for a call search for its name. The first match counts.
 * Guides for people who write connectors repeat the words of all other guides.
 */
const boosts = [
  [/^guides\/(?:rails\/|rest-rail|add-a-protocol|rail-test)/, 0.5],
  [/^guides\//, 1.5],
  [/^reference\/api\/installation/, 0.3],
  [/^reference\/api\//, 0.6],
  [/^(?:decisions|spec)\b/, 0.2],
  // The table of contents
  [/^(?:#|$)/, 0.2],
]

function* partsOf(text) {
  for (const [word] of text.matchAll(/[\p{L}\p{N}_]+/gu)) {
    yield word
    const parts = word.split(/_|(?<=\p{Ll})(?=\p{Lu})/u)
    if (parts.length > 1) yield* parts.filter((part) => part !== '')
  }
}

/** Returns the singular of a word in lower case, so that readers find both forms. */
const stemOf = (word) =>
  word
    .toLowerCase()
    .replace(/(?<=..)ies$/, 'y')
    .replace(/(?<=..[^sui])s$/, '')

/**
 * Returns the best sections for a query. A section that covers more of the query always ranks higher than one
 * with the same score for less of it.
 */
export function search(index, query) {
  const concepts = conceptsOf(query)
  const found = new Map()
  for (const concept of concepts)
    for (const { id, score, terms, ...section } of index.search(concept)) {
      const hit = found.get(id) ?? { id, ...section, score: 0, concepts: 0, terms: new Set() }
      hit.score += score
      hit.concepts++
      for (const term of terms) hit.terms.add(term)
      found.set(id, hit)
    }
  const address = addressIn(query)
  const names = query.toLowerCase().match(/\w+[_.]\w[\w.]*/g) ?? []
  // The query contains the path of a call, or the name of a setting, an error or an event.
  const isNamed = ({ text, heading }) =>
    (address !== undefined && addressIn(text) === address) || names.includes(heading.toLowerCase())
  const rank = (hit) =>
    isNamed(hit) ? Number.MAX_VALUE : hit.score * (hit.concepts / concepts.length) ** 3 * (1 + focusOf(hit))
  return [...found.values()]
    .map((hit) => ({ ...hit, rank: rank(hit) }))
    .sort((a, b) => b.rank - a.rank)
    .slice(0, maxHits)
    .map(({ id, heading, page, text, terms }) => ({
      address: id,
      page: placeOf(id, page, heading),
      heading: marked(heading, [...terms]),
      excerpt: marked(excerptOf(text, [...terms]), [...terms]),
    }))
}

/** Returns the part of the heading's words that are search terms: “Refunds” is more about refunds than “Refund rules”. */
function focusOf({ heading, terms }) {
  const words = heading.match(/[\p{L}\p{N}_]+/gu) ?? []
  return words.length === 0 ? 0 : words.filter((word) => terms.has(stemOf(word))).length / words.length
}

const kinds = { guides: 'Guide', decisions: 'Decision', reference: 'Reference', spec: 'Specification' }

/** Returns where a section is: the kind of its page, and the page's title if the heading is another. */
function placeOf(address, page, heading) {
  const kind = address.startsWith('reference/api') ? 'API' : kinds[address.split(/[/#]/, 1)[0]]
  return [kind, page !== heading && page].filter(Boolean).join(' · ')
}

/**
 * Returns the path in a query, such as `/v1/payouts` in `POST /v1/payouts`. A query that contains a path is a
 * search for that call.
 */
const addressIn = (text) => {
  const [, method = '', path] = /^(?:(GET|POST|PATCH|DELETE) )?(\/v1\/\S+)/i.exec(text.trim()) ?? []
  return path && `${method} ${path}`.trim().toLowerCase()
}

/**
 * Splits a query into concepts, each a MiniSearch query: words of the reader, or words that mean the same in the
 * documents. Stop words are left out, unless there is nothing else.
 */
function conceptsOf(query) {
  const words = (query.match(/[\p{L}\p{N}_]+/gu) ?? []).map(stemOf).slice(0, 3 * maxQueryWords)
  const concepts = []
  const skipped = []
  for (let at = 0; at < words.length; at++) {
    const phrase = `${words[at]} ${words[at + 1]}`
    if (same.has(phrase)) {
      concepts.push([phrase, ...same.get(phrase)])
      at++
    } else if (same.has(words[at])) concepts.push([words[at], ...same.get(words[at])])
    else if (stopWords.has(words[at])) skipped.push([words[at]])
    else concepts.push([words[at]])
  }
  return (concepts.length > 0 ? concepts : skipped).slice(0, maxQueryWords).map(([own, ...others]) => ({
    combineWith: 'OR',
    queries: [
      {
        combineWith: 'AND',
        queries: own.split(' '),
        prefix: (term) => term.length > 1,
        fuzzy: (term) => (others.length === 0 && term.length > 4 && term.length < 25 ? 0.25 : false),
      },
      ...others.map((words) => ({ combineWith: 'AND', queries: words.split(' ') })),
    ],
  }))
}

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

/** Words that say nothing about the subject. */
const stopWords = new Set(
  `a about all am an and any are as at be been but by can could did do does for from get getting give has have how i
   if in into is it its just like make me mean my need no not of on one or our ours out please should show so some than
   that the their them then there these they thi this to up us use used using via wa want was we were what when where
   which who why will with without would you your`.split(/\s+/),
)

/** Words of readers, and the words of the documents for the same thing. */
const synonyms = `
2fa, mfa, two factor, second factor = authenticator app
api docs = api reference
api key, apikey, api token, credential = access token
bulk, mass = batch, many at once
buyer, client = payer
chargeback, dispute, reversal = reverse, dispute, recall
commission, cost, pricing = fee
customer = payer, payment
dashboard, portal = console
deploy, self host = install
disbursement, withdrawal = payout
docker, kubernetes, helm = image, install
download, excel, spreadsheet = export, csv
duplicate = idempotency, twice
error, error code, status code = error, reason
get started, getting started, getting start, tutorial, hello world = quickstart
go live, production, launch = before you go live
hmac = signature
hook, ipn = webhook
invoice = payment link
kyc, name check = account holder
localhost, ngrok, tunnel = own machine, listen
login, log in, signin, sign in = signing in
month end, end of month = close the month
otp, verification code = one-time password
paging, pagination, cursor = page, list
payroll, salary, wage = payout batch, many at once
paybill, till number = manual payment, m-pesa
postman, insomnia, swagger = openapi
qr code = qr
python, node, nodejs, javascript, typescript, php, sdk = quickstart, sdk
quota, throttle, throttling = rate limit
receive = accept
sandbox = test environment
send, send money, sent, sent money = payout, pay out
setup, set up = install, quickstart
stuck = unknown outcome
tenant, merchant account = space
wrong number = wrong person
`

/** The other words for a word or phrase. */
const same = new Map(
  synonyms
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [words, others] = line.split(' = ').map((side) => side.split(', ').map(stemsOf))
      return words.map((word) => [word, others])
    }),
)

function stemsOf(words) {
  return words
    .split(/[\s-]+/)
    .map(stemOf)
    .join(' ')
}
