import assert from 'node:assert/strict'
import { test } from 'node:test'
import { englishForms, inFrench } from '../../packages/console/src/text/refusals-fr.ts'
import { refusalCatalogue } from '../../packages/server/src/platform/refusals.ts'
import { type Source, sourcesOf } from './sources.ts'

// People read refusals in the console in their own language. The API's sentences are English; packages/console/src/text/refusals-fr.ts
// translates each one that the console can receive.

/** Code that no page of the console calls: the command line, rails, phones that dial, and calls that only developers make. */
const notOfConsole =
  /^packages\/server\/src\/(?:cli|simulator|ways-to-pay\/(?:ussd|bill-payments)|operations\/(?:test-clock|data-keys))\/|^packages\/server\/src\/platform\/encryption\/|\/(?:callbacks|kyc|kyc-routes|number-routes|stream|rail-queue|late-payments|codes|mapping|boundaries|statement-text|statement-file|statement-routes|fees\/rules)\.ts$|^packages\/server\/src\/platform\/http\/|^packages\/server\/src\/tenants\/spaces\/(?:spaces|gate)\.ts$|^packages\/server\/src\/ways-to-pay\/checkout\/paying\.ts$|\.test\.ts$/

const literal = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`[^`]*`/.source
const issue = new RegExp(
  `(?:issues\\.add|argumentRefusal)\\(\\s*(?:[^,()]|\\([^)]*\\))+,\\s*(${literal})`,
  'g',
)
const message = new RegExp(`new Refusal\\([^;]*?message:\\s*(${literal})`, 'g')
const any = new RegExp(literal, 'g')

/** Sentences that the program composes from parts. */
const composed = [
  'This token has already been rolled. Create a new one.',
  'This token is no longer active. Create a new one.',
  'This invitation was already withdrawn.',
  'This invitation was already accepted.',
  'You do not have permission to do this in this Space. It requires 7.',
  'You do not have permission to do this in this Space. It requires 7. With refunds:propose you can propose it for another member to approve.',
]

const unquoted = (text: string) =>
  text
    .slice(1, -1)
    .replaceAll(/\\(['"])/g, '$1')
    .replace(/\$\{[^}]*\}/g, '7')

const reasonsOfDevelopers =
  /^(?:request_invalid|json_invalid|space_id_|idempotency_key_(?:missing|invalid)|version_unknown|token_missing|method_not_allowed|media_type_unsupported|headers_too_large|not_acceptable)/

const literalsOf = (sources: Source[]) =>
  sources
    .filter(({ isTest }) => !isTest)
    .flatMap(({ text }) => [...text.matchAll(any)])
    .map(([text]) => unquoted(text))

test('every refusal that the console can receive has a French sentence', () => {
  const sentences = sourcesOf('packages/server/src', '.ts')
    .filter(({ path }) => !notOfConsole.test(path))
    .flatMap(({ text }) => [...text.matchAll(issue), ...text.matchAll(message)])
    .map(([, sentence]) => unquoted(sentence!))
  const reasons = Object.entries(refusalCatalogue)
    .filter(([reason]) => !reasonsOfDevelopers.test(reason))
    .map(([, [, sentence]]) => sentence)
  assert.ok(sentences.length > 100, `${sentences.length}`)
  assert.deepEqual(
    [...new Set([...sentences, ...reasons])].filter((sentence) => inFrench(sentence) === sentence),
    [],
  )
})

test('every French sentence translates a sentence of the program', () => {
  const texts = [...composed, ...literalsOf(sourcesOf('packages/server/src', '.ts'))]
  const unused = englishForms.filter((form) => !texts.some((text) => form.test(text)))
  assert.deepEqual(unused.map(String), [])
})

test('a translated sentence keeps the names in it, and an unknown sentence stays unchanged', () => {
  assert.equal(inFrench('must be at most 100'), 'ne doit pas dépasser 100')
  assert.equal(
    inFrench('must be at most 7 days after the start of the range'),
    'doit être au plus tard 7 jours après le début',
  )
  assert.equal(inFrench('is an account in GHS, not SLE'), 'est un compte en GHS, pas en SLE')
  assert.equal(inFrench('Le montant est trop élevé.'), 'Le montant est trop élevé.')
})
