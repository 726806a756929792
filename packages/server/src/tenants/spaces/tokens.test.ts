import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { hashSecret, isToken, newToken } from './tokens.ts'

const environment = fc.constantFrom('test', 'live')
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

describe('a new token', () => {
  test('consists of its environment, 32 random characters and a checksum of 6', () => {
    for (const name of ['test', 'live'] as const)
      for (let i = 0; i < 100; i++) {
        const token = newToken(name)
        assert.match(token, new RegExp(`^psw_${name}_[0-9A-Za-z]{38}$`))
        assert.ok(isToken(token))
      }
  })

  test('is unique and uses the whole alphabet', () => {
    const tokens = Array.from({ length: 1_000 }, () => newToken('test'))
    assert.equal(new Set(tokens).size, tokens.length)
    const seen = new Set(tokens.flatMap((token) => [...token.slice(9, 41)]))
    assert.deepEqual([...seen].sort(), [...base62].sort())
  })
})

describe('the checksum', () => {
  test('detects any single changed character', () => {
    fc.assert(
      fc.property(environment, fc.nat(46), fc.constantFrom(...base62), (name, at, character) => {
        const token = newToken(name)
        const typo = token.slice(0, at) + character + token.slice(at + 1)
        assert.equal(isToken(typo), typo === token)
      }),
    )
  })

  test('detects two swapped neighbours', () => {
    fc.assert(
      fc.property(environment, fc.integer({ min: 9, max: 45 }), (name, at) => {
        const token = newToken(name)
        const swapped = token.slice(0, at) + token[at + 1] + token[at] + token.slice(at + 2)
        assert.equal(isToken(swapped), swapped === token)
      }),
    )
  })

  test('is not valid for the other environment', () => {
    assert.equal(isToken(newToken('test').replace('test', 'live')), false)
  })
})

test('text that is not a token is refused', () => {
  const token = newToken('test')
  for (const text of [
    '',
    'psw_test_',
    token.slice(0, -1),
    `${token}0`,
    ` ${token}`,
    `${token}\n`,
    token.toUpperCase(),
    token.replace('psw', 'sk'),
  ])
    assert.equal(isToken(text), false)
  fc.assert(fc.property(fc.string(), (text) => !isToken(text)))
})

test('a token is stored as the SHA-256 of its full text', () => {
  const token = newToken('live')
  assert.deepEqual(hashSecret(token), createHash('sha256').update(token).digest())
})
