import assert from 'node:assert/strict'
import { test } from 'node:test'
import { guidanceOf, textIn } from './guidance.ts'

const dialled = (dialString: unknown) => guidanceOf({ dialString })?.dialString

test('a short code with choices may be dialled, but no code that the handset runs itself', () => {
  for (const code of ['*144#', '*144*4*4#', '*334*1*000123456789#', '*170#', '*99#'])
    assert.equal(dialled(code), code)
  for (const code of [
    '*21*23276000000#',
    '**21*23276000000#',
    '##002#',
    '*#06#',
    '*31#23276000000',
    '*03*330*0000*1111*1111#',
    '+23276000000',
    '*144',
    '*144#;ext=1',
    'javascript:alert(1)',
    `*144*${'1*'.repeat(40)}1#`,
    '*144#\n',
    '*１44#',
    144,
    ['*144#'],
  ])
    assert.equal(guidanceOf({ dialString: code }), undefined, String(code))
})

test('only valid texts are kept: at most ten, each complete and with a language', () => {
  const many = Object.fromEntries(
    Array.from({ length: 26 }, (_, i) => [`a${String.fromCharCode(97 + i)}`, 'Dial']),
  )
  assert.equal(Object.keys(guidanceOf({ texts: many })?.texts ?? {}).length, 10)
  assert.deepEqual(guidanceOf({ texts: { en: `  Wähle\t${'1'.repeat(492)} ` } })?.texts, {
    en: `Wähle ${'1'.repeat(492)}`,
  })
  for (const texts of [
    { en: '1'.repeat(501) },
    { en: '1'.repeat(100_000) },
    { EN: 'Dial' },
    { constructor: 'Dial' },
    { en: '\u202e\u0000' },
    { en: { toString: 'Dial' } },
    ['Dial'],
    'Dial',
    null,
  ])
    assert.equal(guidanceOf({ texts }), undefined, JSON.stringify(texts).slice(0, 60))
  for (const nothing of [undefined, null, 'Dial', [], {}, 7]) assert.equal(guidanceOf(nothing), undefined)
})

test('guidance is shown in the payer’s language, or else in English, or else in any', () => {
  const of = (texts: Record<string, string>) => textIn({ texts, dialString: null }, 'fr')
  assert.deepEqual(of({ en: 'Dial', fr: 'Composez' }), { language: 'fr', text: 'Composez' })
  assert.deepEqual(of({ sw: 'Piga', en: 'Dial' }), { language: 'en', text: 'Dial' })
  assert.deepEqual(of({ sw: 'Piga' }), { language: 'sw', text: 'Piga' })
  assert.equal(of({}), undefined)
})
