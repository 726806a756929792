import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { lastOf, MissingKeysError } from '../db/encryption.ts'
import type { Scope } from '../scope.ts'
import { createKeyring, type SpaceKeys } from './keyring.ts'

const [one, other] = ['01a21e9d-6bed-73f9-a661-85c35b0aec86', '01a21e9d-6bed-73f9-a661-85c35b0aec87'] as const
const test1: Scope = { spaceId: one, environment: 'test' }
const live1: Scope = { spaceId: one, environment: 'live' }
const place = 'payments.payer_account'
const number = '+23276123456'

const newKeys = (): SpaceKeys => ({
  hashKey: randomBytes(32),
  dataKeys: new Map([[1, randomBytes(32)]]),
  generation: 1,
})
const keys = new Map([one, other].map((spaceId) => [spaceId, newKeys()]))
const keyring = createKeyring(async () => {})
keyring.replace({ isOn: true, version: 1, keys })

/** What a statement selects for an encrypted value, with the place, Space and environment of its row. */
const selected = (value: Buffer, { spaceId, environment }: Scope, at = place) =>
  Buffer.concat([
    Buffer.from(`${at} `),
    Buffer.from(spaceId.replaceAll('-', ''), 'hex'),
    Buffer.from(environment),
    value,
  ])

describe('an encrypted value', () => {
  for (const text of [number, '', 'Åsa 🙂', 'x'.repeat(500)])
    test(`of ${text.length} characters can be decrypted in its place`, () => {
      assert.equal(keyring.decrypt(selected(keyring.encrypt(place, test1, text), test1)), text)
    })

  test('differs each time, and does not contain the value', () => {
    const [first, second] = [keyring.encrypt(place, test1, number), keyring.encrypt(place, test1, number)]
    assert.notDeepEqual(first, second)
    assert.ok(!first.toString('latin1').includes('76123456'))
  })

  test('cannot be decrypted in another column, environment or Space, nor after a change of any byte', () => {
    const value = keyring.encrypt(place, test1, number)
    assert.throws(() => keyring.decrypt(selected(value, test1, 'payouts.payee_account')))
    assert.throws(() => keyring.decrypt(selected(value, live1)))
    assert.throws(() => keyring.decrypt(selected(value, { spaceId: other, environment: 'test' })))
    for (let i = 0; i < value.length; i++) {
      const changed = Buffer.from(value)
      changed[i] = (changed[i] ?? 0) ^ 1
      assert.throws(() => keyring.decrypt(selected(changed, test1)), `byte ${i}`)
    }
    assert.throws(() => keyring.decrypt(selected(Buffer.alloc(5, 1), test1)), /damaged/)
  })

  test('remains readable while its key is retiring, and not afterwards', () => {
    const value = keyring.encrypt(place, test1, number)
    const before = keys.get(one) ?? newKeys()
    const rotated = {
      ...before,
      dataKeys: new Map([...before.dataKeys, [2, randomBytes(32)]]),
      generation: 2,
    }
    const later = createKeyring(async () => {})
    later.replace({ isOn: true, version: 1, keys: new Map([[one, rotated]]) })
    assert.equal(later.decrypt(selected(value, test1)), number)
    assert.equal(later.hash(test1, number), keyring.hash(test1, number))
    const retired = {
      ...rotated,
      dataKeys: new Map([...rotated.dataKeys].filter(([generation]) => generation === 2)),
    }
    later.add(new Map([[one, retired]]))
    assert.throws(() => later.decrypt(selected(value, test1)), MissingKeysError)
  })
})

describe('a keyed hash', () => {
  test('is the same for the same value, and differs between values, environments, Spaces and keys', () => {
    const hash = keyring.hash(test1, number)
    assert.match(hash, /^#[\w-]{22}$/)
    assert.equal(keyring.hash(test1, number), hash)
    const others = [
      keyring.hash(test1, '+23276123457'),
      keyring.hash(live1, number),
      keyring.hash({ spaceId: other, environment: 'test' }, number),
    ]
    assert.equal(new Set([hash, ...others]).size, 4)
  })

  test('is never the same as anything stored while encryption is off', () => {
    const off = createKeyring(async () => {})
    off.replace({ isOn: false, version: 1, keys: new Map() })
    assert.equal(off.hash(test1, number), '#')
  })
})

test('Spaces whose keys are not in memory are listed, so that they can be loaded', () => {
  const unknown = '01a21e9d-6bed-73f9-a661-85c35b0aec88'
  assert.throws(
    () => keyring.require([one, unknown, unknown]),
    (error) => error instanceof MissingKeysError && error.spaceIds.join() === unknown,
  )
})

test('of a number, at most four last characters are stored, and at least four are hidden', () => {
  assert.deepEqual(['+23276123456', '12345678', '1234567', '12345', '1234', '1'].map(lastOf), [
    '3456',
    '5678',
    '567',
    '5',
    '',
    '',
  ])
})
