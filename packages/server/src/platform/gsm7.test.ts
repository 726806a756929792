import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cutTo, septetsOf, toGsm7 } from './gsm7.ts'

const lengths: [text: string, septets: number | undefined][] = [
  ['', 0],
  ['Pay Le 15.00', 12],
  ['é à ü Ñ', 7],
  ['\n', 1],
  // Extension characters count twice.
  ['€', 2],
  ['[a]', 5],
  ['ɔ', undefined],
  ['ç', undefined],
  ['Le 15 😀', undefined],
  ['–', undefined],
]

for (const [text, septets] of lengths)
  test(`${JSON.stringify(text)} takes ${septets ?? 'what no handset can show'}`, () => {
    assert.equal(septetsOf(text), septets)
  })

const shown: [text: string, as: string][] = [
  ['Kofi’s “Shop”', 'Kofi\'s "Shop"'],
  ['Traoré', 'Traoré'],
  ['Ouédraogo ç', 'Ouédraogo c'],
  ['Ɛkɔ ŋa', 'Eko nga'],
  ['ê î ô û', 'e i o u'],
  ['e\u0301', 'é'],
  ['one\n two\t\u200bthree', 'one two three'],
  ['  a  ', 'a'],
  ['日本', '??'],
  ['😀', '?'],
  ['1–2…', '1-2...'],
]

for (const [text, as] of shown)
  test(`${JSON.stringify(text)} is shown as ${JSON.stringify(as)}`, () => {
    assert.equal(toGsm7(text), as)
    assert.notEqual(septetsOf(toGsm7(text)), undefined)
  })

const cuts: [text: string, septets: number, cut: string][] = [
  ['Country cloth', 13, 'Country cloth'],
  ['Country cloth', 12, 'Country cl..'],
  ['ab€€', 6, 'ab€€'],
  // A character that counts twice is not split.
  ['ab€€', 5, 'ab..'],
  ['abc', 2, '..'],
]

for (const [text, septets, cut] of cuts)
  test(`${text} in ${septets} septets is ${cut}`, () => {
    assert.equal(cutTo(text, septets), cut)
  })
