import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pages } from './documents.ts'
import { factFaults, factsIn, testNames } from './facts.ts'
import { sourceOf, sourcesOf } from './sources.ts'

// What is known of a rail, and what proves it.

test('each fact of a rail has a test that is there by its name, or says why it has none', () => {
  const facts = pages().flatMap(factsIn)
  assert(facts.length > 0, 'there are tables of facts')
  const faults = factFaults(
    facts,
    testNames([...sourcesOf('src', '.test.ts'), ...sourcesOf('test', '.test.ts')]),
  )
  assert.equal(faults.length, 0, `\n  ${faults.join('\n  ')}\n`)
})

const names = testNames([
  sourceOf(
    'src/x.test.ts',
    `test('is asked once; then never', () => {})
     for (const [code, word] of [['E1', 'refused']]) test(\`answered with \${code} is \${word}\`, () => {})
     for (const [what, of] of [['an odd thing that is long', 'x']]) test(\`\${what}: \${of({ a: 1 })}\`, () => {})`,
  ),
])

const faultsOf = (proof: string) =>
  factFaults(
    factsIn({ path: 'README.md', text: `# A\n\n| fact | test |\n|---|---|\n| a \\| b | ${proof} |\n` }),
    names,
  )

for (const proof of [
  'is asked once; then never',
  'is asked once; then never; answered with E1 is refused',
  '*simulator*: answered with … is refused, and its like',
  'answered with E1 is refused (in production too)',
  'an odd thing that is long: x',
  'not tested: nobody knows how; see there',
  'answered with E1 is refused; simulator: not built: nothing asks for it',
])
  test(`a fact is proved by "${proof}"`, () => assert.deepEqual(faultsOf(proof), []))

for (const [proof, fault] of [
  ['', 'README.md:5 has no test'],
  ['is asked twice', 'README.md:5 no test: is asked twice'],
  ['is asked once', 'README.md:5 no test: is asked once'],
  ['answered with E2 is refused', 'README.md:5 no test: answered with E2 is refused'],
  ['answered with E1 is refused; is refused', 'README.md:5 no test: is refused'],
  ['a long thing that is odd: x', 'README.md:5 no test: a long thing that is odd: x'],
  ['not tested', 'README.md:5 no test: not tested'],
] as const)
  test(`a fact is not proved by "${proof}"`, () => assert.deepEqual(faultsOf(proof), [fault]))
