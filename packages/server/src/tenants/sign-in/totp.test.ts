import assert from 'node:assert/strict'
import { test } from 'node:test'
import { base32, matchingStep, stepAt, totpCode, totpUri } from './totp.ts'

const secret = Buffer.from('12345678901234567890')

test('codes match the test vectors of RFC 6238 (appendix B) and RFC 4226 (appendix D)', () => {
  // RFC 6238 lists eight digits; ours are the last six of them.
  const vectors: [number, string][] = [
    [59, '94287082'],
    [1111111109, '07081804'],
    [1111111111, '14050471'],
    [1234567890, '89005924'],
    [2000000000, '69279037'],
    [20000000000, '65353130'],
  ]
  for (const [seconds, code] of vectors)
    assert.equal(totpCode(secret, stepAt(new Date(seconds * 1_000))), code.slice(2), String(seconds))
  const counted = ['755224', '287082', '359152', '969429', '338314', '254676', '287922', '162583', '399871']
  assert.deepEqual(
    counted.map((_, counter) => totpCode(secret, counter)),
    counted,
  )
})

test('a code is valid in its own time step and one step either way, and only once', () => {
  const at = new Date(1_234_567_890_000)
  const step = stepAt(at)
  const find = (drift: number, lastStep: number | null = null) => {
    const accepted = matchingStep(secret, totpCode(secret, step + drift), { at, lastStep })
    return accepted === undefined ? undefined : accepted - step
  }
  assert.deepEqual(
    [-2, -1, 0, 1, 2].map((drift) => find(drift)),
    [undefined, -1, 0, 1, undefined],
  )
  assert.deepEqual(
    [-1, 0, 1].map((drift) => find(drift, step)),
    [undefined, undefined, 1],
  )
  for (const wrong of ['', '12345', '1234567', 'abcdef', `${totpCode(secret, step)}0`])
    assert.equal(matchingStep(secret, wrong, { at, lastStep: null }), undefined, wrong)
})

test('secrets are encoded in base32 as in RFC 4648', () => {
  for (const [plain, encoded] of [
    ['', ''],
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foob', 'MZXW6YQ'],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI'],
  ] as const)
    assert.equal(base32(Buffer.from(plain)), encoded)
  const uri = new URL(totpUri(secret, { issuer: 'Pesewa pay.example', account: 'a&b?c:d@shop.example' }))
  assert.equal(decodeURIComponent(uri.pathname), '/Pesewa pay.example:a&b?c:d@shop.example')
  assert.deepEqual(
    [uri.protocol, uri.host, uri.searchParams.get('secret'), uri.searchParams.get('issuer')],
    ['otpauth:', 'totp', 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ', 'Pesewa pay.example'],
  )
})
