import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { describe, test } from 'node:test'
import {
  algorithmsOf,
  isSignatureOf,
  isSignedBy,
  readSignatureInput,
  type SignedRequest,
  signatureBaseOf,
  signRequest,
} from './message-signatures.ts'

const ec = (namedCurve = 'prime256v1') => generateKeyPairSync('ec', { namedCurve })
const url = 'https://pay.example/callbacks/connections/live/pawapay?x=1'
const body = '{"depositId":"8917c345-4791-4285-a416-62f24b6982db","status":"COMPLETED"}'
const nowMs = Date.parse('2026-11-23T10:00:00.500Z')

function signed(key = pair.privateKey, more: Partial<SignedRequest> = {}) {
  const headers = signRequest({ key, keyId: 'KEY:1' }, { method: 'POST', url, body }, new Date(nowMs))
  const request: SignedRequest = {
    method: 'POST',
    authority: 'pay.example',
    path: '/callbacks/connections/live/pawapay',
    headers,
    body: Buffer.from(body),
    ...more,
  }
  return request
}
const pair = ec()

const isSigned = (request: SignedRequest, key = pair.publicKey, atMs = nowMs) => {
  const input = readSignatureInput(request.headers['signature-input'])
  return input !== undefined && isSignedBy(request, input, key, atMs)
}

describe('the RFC’s own examples', () => {
  // RFC 9421, appendices B.1.3 and B.2.4: a response signed with ECDSA over P-256, as two concatenated numbers.
  const key = createPublicKey(`-----BEGIN PUBLIC KEY-----
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEqIVYZVLCrPZHGHjP17CTW0/+D9Lf
w0EkjqF7xB4FivAxzic30tMM4GF+hR6Dxh71Z50VGGdldkkDXZCnTNnoXQ==
-----END PUBLIC KEY-----`)
  const params =
    '("@status" "content-type" "content-digest" "content-length");created=1618884473;keyid="test-key-ecc-p256"'
  const base = [
    '"@status": 200',
    '"content-type": application/json',
    '"content-digest": sha-512=:mEWXIS7MaLRuGgxOBdODa3xqM1XdEvxoYhvlCFJ41QJgJc4GTsPp29l5oGX69wWdXymyU0rjJuahq4l5aGgfLQ==:',
    '"content-length": 23',
    `"@signature-params": ${params}`,
  ].join('\n')
  const signature = Buffer.from(
    'wNmSUAhwb5LxtOtOpNa6W5xj067m5hFrj0XQ4fvpaCLx0NKocgPquLgyahnzDnDAUy5eCdlYUEkLIj+32oiasw==',
    'base64',
  )

  test('an ECDSA signature verifies, but not for another text', () => {
    assert.equal(isSignatureOf(base, signature, key), true)
    assert.equal(isSignatureOf(base.replace('200', '201'), signature, key), false)
    assert.equal(isSignatureOf(base, signature, key, 'rsa-pss-sha512'), false)
  })

  test('the signature base has the same parts, except `@status`, which requests do not have', () => {
    const request: SignedRequest = {
      method: 'POST',
      authority: 'Example.com',
      path: '/foo',
      headers: {
        date: 'Tue, 20 Apr 2021 02:07:55 GMT',
        'content-type': 'application/json',
        'content-length': '18',
      },
      body: Buffer.from('{"hello": "world"}'),
    }
    // From appendix B.2.3, without the query component.
    const components = ['date', '@method', '@path', '@authority', 'content-type', 'content-length']
    const listed = `(${components.map((name) => `"${name}"`).join(' ')});created=1618884473;keyid="test-key-rsa-pss"`
    assert.equal(
      signatureBaseOf(request, components, listed),
      [
        '"date": Tue, 20 Apr 2021 02:07:55 GMT',
        '"@method": POST',
        '"@path": /foo',
        '"@authority": example.com',
        '"content-type": application/json',
        '"content-length": 18',
        `"@signature-params": ${listed}`,
      ].join('\n'),
    )
    assert.equal(signatureBaseOf(request, ['@status'], params), undefined)
    assert.equal(signatureBaseOf(request, ['date', 'date'], listed), undefined)
  })

  test('the digest of the body matches', () => {
    const content = '{"hello": "world"}'
    const request = signed()
    const [published, other] = [
      'sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:',
      'sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:',
    ]
    for (const digest of [published, other, `${other}, ${published}`, `unixsum=:AA==:, ${other}`])
      assert.equal(isSigned(withDigest(request, digest, content)), true, digest)
    for (const digest of ['', 'sha-256=::', `${published}, sha-256=:AAAA:`, 'unixsum=:AA==:'])
      assert.equal(isSigned(withDigest(request, digest, content)), false, digest)
  })
})

/** Signs a response again, with a digest other than the one that signing would compute. */
function withDigest({ headers, ...request }: SignedRequest, digest: string, content: string): SignedRequest {
  const changed = {
    ...request,
    body: Buffer.from(content),
    headers: { ...headers, 'content-digest': digest },
  }
  const { components, params } = readSignatureInput(headers['signature-input'])!
  const base = signatureBaseOf(changed, components, params)!
  const signature = sign('sha256', Buffer.from(base), pair.privateKey).toString('base64')
  return { ...changed, headers: { ...changed.headers, signature: `sig-pp=:${signature}:` } }
}

describe('a signed request', () => {
  test('has the format of pawaPay’s own example', () => {
    // The order and the names are from pawaPay/signatures-node-example; the base is built here by hand.
    const { headers } = signed()
    assert.equal(
      headers['signature-input'],
      'sig-pp=("@method" "@authority" "@path" "signature-date" "content-digest" "content-type" "content-length")' +
        ';alg="ecdsa-p256-sha256";keyid="KEY:1";created=1795428000;expires=1795428060',
    )
    assert.equal(headers['signature-date'], '2026-11-23T10:00:00.500Z')
    assert.equal(headers['content-length'], String(body.length))
    const base = [
      '"@method": POST',
      '"@authority": pay.example',
      '"@path": /callbacks/connections/live/pawapay',
      '"signature-date": 2026-11-23T10:00:00.500Z',
      `"content-digest": ${headers['content-digest']}`,
      '"content-type": application/json',
      `"content-length": ${body.length}`,
      `"@signature-params": ${String(headers['signature-input']).slice('sig-pp='.length)}`,
    ].join('\n')
    const [, encoded = ''] = /^sig-pp=:(.+):$/.exec(String(headers.signature))!
    const signature = Buffer.from(encoded, 'base64')
    assert.equal(signature[0], 0x30, 'DER, as pawaPay’s example writes it')
    assert.equal(isSignatureOf(base, signature, pair.publicKey), true)
  })

  for (const [what, keys, algorithm] of [
    ['EC P-256', ec(), 'ecdsa-p256-sha256'],
    ['EC P-384', ec('secp384r1'), 'ecdsa-p384-sha384'],
    ['RSA', generateKeyPairSync('rsa', { modulusLength: 2048 }), 'rsa-pss-sha512'],
  ] as const)
    test(`is made and verified with ${what}`, () => {
      const request = signed(keys.privateKey)
      assert.match(String(request.headers['signature-input']), new RegExp(`alg="${algorithm}"`))
      assert.equal(isSigned(request, keys.publicKey), true)
      assert.equal(isSigned(request, pair.publicKey), false)
    })

  test('verifies with both RSA algorithms, and with concatenated numbers', () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
    assert.equal(
      isSignatureOf('base', sign('sha256', Buffer.from('base'), rsa.privateKey), rsa.publicKey),
      true,
    )
    const inARow = sign('sha256', Buffer.from('base'), { key: pair.privateKey, dsaEncoding: 'ieee-p1363' })
    assert.equal(inARow.length, 64)
    assert.equal(isSignatureOf('base', inARow, pair.publicKey), true)
  })

  test('is never made or verified with another kind of key or a weak one', () => {
    const { publicKey: weak, privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })
    const pss = generateKeyPairSync('rsa-pss', { modulusLength: 2048, hashAlgorithm: 'sha256' }).publicKey
    for (const key of [generateKeyPairSync('ed25519').publicKey, ec('secp256k1').publicKey, weak, pss]) {
      assert.deepEqual(algorithmsOf(key), [])
      assert.equal(isSignatureOf('base', sign('sha256', Buffer.from('base'), privateKey), key), false)
    }
  })

  test('does not verify if any part is changed', () => {
    const good = signed()
    assert.equal(isSigned(good), true)
    const others: Partial<SignedRequest>[] = [
      { method: 'PUT' },
      { authority: 'other.example' },
      { path: '/callbacks/connections/live/other' },
      { body: Buffer.from(body.replace('COMPLETED', 'FAILED')) },
      ...['signature-date', 'content-type', 'content-digest', 'signature', 'signature-input'].flatMap(
        (name) => [
          { headers: { ...good.headers, [name]: undefined } },
          { headers: { ...good.headers, [name]: `${good.headers[name]}x` } },
        ],
      ),
    ]
    for (const other of others) assert.equal(isSigned({ ...good, ...other }), false, JSON.stringify(other))
  })

  test('is valid for five minutes in either direction', () => {
    for (const [minutes, counts] of [
      [0, true],
      [4, true],
      [-4, true],
      [7, false],
      [-6, false],
    ] as const)
      assert.equal(isSigned(signed(), pair.publicKey, nowMs + minutes * 60_000), counts, `${minutes} min`)
  })

  test('must cover method, address and body', () => {
    for (const left of ['@method', '@authority', '@path', 'content-digest']) {
      const request = signed()
      const input = readSignatureInput(request.headers['signature-input'])!
      const components = input.components.filter((name) => name !== left)
      const params = input.params.replace(`"${left}" `, '')
      const base = signatureBaseOf(request, components, params)!
      const signature = `sig-pp=:${sign('sha256', Buffer.from(base), pair.privateKey).toString('base64')}:`
      const headers = { ...request.headers, signature, 'signature-input': `sig-pp=${params}` }
      assert.equal(isSigned({ ...request, headers }), false, left)
    }
  })
})

test('arbitrary headers are refused without an error', () => {
  const input = String(signed().headers['signature-input'])
  for (const header of [
    undefined,
    '',
    ['sig-pp=()'],
    'sig-pp',
    'sig-pp=("@method");keyid="k"',
    'sig-pp=("@method");created=1',
    'sig-pp=("@method" "@method);keyid="k";created=1',
    `${input}, other=()`,
    input.replace('created=1795428000', 'created=99999999999999'),
    `sig-pp=(${'"a" '.repeat(1_000)});keyid="k";created=1`,
    '"'.repeat(100_000),
  ]) {
    const headers = { ...signed().headers, 'signature-input': header as string }
    assert.equal(isSigned({ ...signed(), headers }), false)
  }
  for (const signature of ['', ':', 'sig-pp=::', 'sig-pp=:AA==:', 'other=:AA==:', 'sig-pp=:MAA=:'])
    assert.equal(isSigned({ ...signed(), headers: { ...signed().headers, signature } }), false, signature)
})
