import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { describe, test } from 'node:test'
import { isSecret, newKeyPair, newSecret, readSecret, signEd25519, signHs256 } from './signing.ts'

const base64Of = (bytes: number) => Buffer.alloc(bytes, 'pesewa').toString('base64')

describe('a secret', () => {
  const secrets: [what: string, text: string, isAllowed: boolean][] = [
    ['whsec_ and 24 bytes', `whsec_${base64Of(24)}`, true],
    ['whsec_ and 64 bytes', `whsec_${base64Of(64)}`, true],
    ['whsec_ and 23 bytes', `whsec_${base64Of(23)}`, false],
    ['whsec_ and 65 bytes', `whsec_${base64Of(65)}`, false],
    ['whsec_ and base64 without padding', `whsec_${base64Of(32).replace('=', '')}`, true],
    ['whsec_ and base64url', `whsec_${'_-'.repeat(16)}`, false],
    ['whsec_ and base64 that does not end', `whsec_${base64Of(24)}A`, false],
    ['whsec_ alone', 'whsec_', false],
    ['32 plain characters', 'x'.repeat(32), true],
    ['256 plain characters', ' ~'.repeat(128), true],
    ['31 plain characters', 'x'.repeat(31), false],
    ['257 plain characters', 'x'.repeat(257), false],
    ['32 characters that are not plain', 'é'.repeat(32), false],
    ['32 characters with a line break', `${'x'.repeat(31)}\n`, false],
    ['the form that the service generates', newSecret(), true],
  ]
  for (const [what, text, isAllowed] of secrets)
    test(`of ${what} is ${isAllowed ? 'allowed' : 'refused'}`, () => assert.equal(isSecret(text), isAllowed))

  test('is decoded from base64', () => {
    assert.deepEqual(readSecret(`whsec_${base64Of(24)}`), Buffer.alloc(24, 'pesewa'))
    assert.equal(readSecret('x'.repeat(32)), undefined)
  })
})

// The first is the example of https://www.standardwebhooks.com; the others were computed with OpenSSL.
const signatures: [key: Buffer, id: string, timestamp: number, body: string, signature: string][] = [
  [
    readSecret('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')!,
    'msg_p5jXN8AQM9LWM0D4loKWxJek',
    1_614_265_330,
    '{"test": 2432232314}',
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  ],
  [
    Buffer.from('a secret of thirty-two characters'),
    'evt-1',
    0,
    '',
    'v1,Xdxdl9Gwf+uSWDTrkxAaMD7/u+82fHdkXbgPR2GrovU=',
  ],
  [
    Buffer.from('a secret of thirty-two characters'),
    'evt-1',
    1_795_000_000,
    '{"name":"Ama – é"}',
    'v1,Hc3DaFxvDkrnJQeudtyBEpVbtNDtfHp+6Zud/H7wM9A=',
  ],
]
for (const [key, id, timestamp, body, signature] of signatures)
  test(`HMAC-SHA256 of ${id}.${timestamp}.${body}`, () =>
    assert.equal(signHs256(key, id, timestamp, body), signature))

describe('Ed25519', () => {
  const pkcs8 = (seed: string) => Buffer.from(`302e020100300506032b657004220420${seed}`, 'hex')
  const publicKey = (x: Buffer) =>
    createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: x.toString('base64url') } })
  // From RFC 8032, 7.1, tests 1 and 2.
  const pairs: [seed: string, x: string][] = [
    [
      '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
      'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    ],
    [
      '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
      '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    ],
  ]
  for (const [seed, x] of pairs)
    test(`signs id, timestamp and body, so that ${x.slice(0, 8)}… verifies it`, () => {
      const [version, signature = ''] = signEd25519(pkcs8(seed), 'evt-1', 1_795_000_000, '{}').split(',')
      assert.equal(version, 'v1a')
      const [key, bytes] = [publicKey(Buffer.from(x, 'hex')), Buffer.from(signature, 'base64')]
      assert.ok(verify(null, Buffer.from('evt-1.1795000000.{}'), key, bytes))
      assert.ok(!verify(null, Buffer.from('evt-1.1795000001.{}'), key, bytes))
    })

  test('a new key pair creates signatures that its public key verifies', () => {
    const pair = newKeyPair()
    const [, signature = ''] = signEd25519(pair.privateKey, 'evt-1', 0, '').split(',')
    const key = publicKey(Buffer.from(pair.publicKey.replace('whpk_', ''), 'base64'))
    assert.ok(verify(null, Buffer.from('evt-1.0.'), key, Buffer.from(signature, 'base64')))
  })
})
