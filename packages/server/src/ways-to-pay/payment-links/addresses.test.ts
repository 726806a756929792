import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAddress } from './addresses.ts'

test('an address can be typed in lower case and in groups', () => {
  for (const typed of ['K7Q4M2XP', 'k7q4m2xp', 'k7q4-m2xp', 'K7Q4 M2XP', ' K7Q4M2XP ', 'K-7-Q-4-M-2-X-P'])
    assert.equal(readAddress(typed), 'K7Q4M2XP', typed)
})

test('look-alikes, vowels, other lengths and other alphabets are not addresses', () => {
  for (const typed of [
    '',
    'K7Q4M2X',
    'K7Q4M2XPP',
    'K7Q4M2X0',
    'K7Q4M2XO',
    'K7Q4M2XL',
    'K7Q4M2X1',
    'K7Q4M2XA',
    'K7Q4M2Xß',
    'K7Q4M2X\0',
    'К7Q4M2XP',
    'K7Q4M2XP'.padEnd(10_000, '-'),
  ])
    assert.equal(readAddress(typed), undefined, typed.slice(0, 20))
})
