import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inFrench } from '../../console/src/text/refusals-fr.ts'
import { refusalCatalogue } from '../../src/platform/refusals.ts'
import { sourcesOf } from './sources.ts'

// What the API refuses, people read in the console in their own language. Its sentences are English: each that the console can meet is
// translated in console/src/text/refusals-fr.ts.

/** What no page of the console calls: the command line, rails, phones that dial, what only developers send. */
const notOfConsole =
  /^src\/(?:cli|simulator|ussd|bill-payments|test-clock)\/|\/(?:callbacks|kyc|kyc-routes|number-routes|stream|rail-queue|late-payments|codes|mapping|boundaries|statement-text|statement-file|statement-routes|fee-rules)\.ts$|^src\/platform\/http\/|^src\/spaces\/(?:spaces|gate)\.ts$|^src\/checkout\/paying\.ts$|\.test\.ts$/

const fault = /(?:issues\.add|argumentRefusal)\(\s*(?:[^,()]|\([^)]*\))+,\s*('(?:[^'\\]|\\.)*'|`[^`]*`)/g
const message = /new Refusal\([^;]*?message:\s*('(?:[^'\\]|\\.)*'|`[^`]*`)/g

const reasonsOfDevelopers =
  /^(?:request_invalid|json_invalid|space_id_|idempotency_key_(?:missing|invalid)|version_unknown|token_missing|method_not_allowed|media_type_unsupported|headers_too_large|not_acceptable)/

test('what the API refuses is said in French, too, as far as people at the console meet it', () => {
  const said = sourcesOf('src', '.ts')
    .filter(({ path }) => !notOfConsole.test(path))
    .flatMap(({ text }) => [...text.matchAll(fault), ...text.matchAll(message)])
    .map(([, literal]) => literal!.slice(1, -1).replace(/\$\{[^}]*\}/g, '7'))
  const reasons = Object.entries(refusalCatalogue)
    .filter(([reason]) => !reasonsOfDevelopers.test(reason))
    .map(([, [, sentence]]) => sentence)
  assert.ok(said.length > 100, `${said.length}`)
  assert.deepEqual(
    [...new Set([...said, ...reasons])].filter((sentence) => inFrench(sentence) === sentence),
    [],
  )
})

test('a sentence keeps what it names, and one that is none of the API’s stays as it is', () => {
  assert.equal(inFrench('must be at most 100'), 'ne doit pas dépasser 100')
  assert.equal(inFrench('must be at most 7 days after from'), 'doit être au plus tard 7 jours après le début')
  assert.equal(inFrench('is an account in GHS, not SLE'), 'est un compte en GHS, pas en SLE')
  assert.equal(inFrench('Le montant est trop élevé.'), 'Le montant est trop élevé.')
})
