import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { loadCatalogue } from '../../server/src/rails/connections/catalogue.ts'
import { CatalogueError } from '../../server/src/rails/connections/catalogue-error.ts'

const folder = mkdtempSync(join(tmpdir(), 'pawapay-'))
const file = join(folder, 'providers.json')
after(() => rmSync(folder, { recursive: true }))

const pair = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
const privatePem = String(pair.privateKey.export({ type: 'pkcs8', format: 'pem' }))
const publicPem = String(pair.publicKey.export({ type: 'spki', format: 'pem' }))
const otherPem = String(generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }))
const connection = {
  protocol: 'pawapay',
  providers: ['m17', 'orange-sn'],
  baseUrl: 'https://api.sandbox.pawapay.io',
  token: 'secret-token',
}

/** Returns the error for these settings, or `undefined` if there is none. */
function errorOf(more: object): string | undefined {
  writeFileSync(file, JSON.stringify({ connections: { africa: { ...connection, ...more } } }))
  try {
    loadCatalogue(file)
    return undefined
  } catch (error) {
    assert(error instanceof CatalogueError)
    return error.message.slice(`${file}: `.length)
  }
}

test('a connection reaches every pawaPay provider, with or without keys', () => {
  const reached = loadCatalogue()
    .all()
    .filter(({ reachedBy = [] }) => reachedBy.some(({ protocol }) => protocol === 'pawapay'))
    .map(({ providerId }) => providerId)
  assert.ok(reached.length > 30)
  const page = { pageOrigin: 'https://pay.wave.com' }
  assert.equal(errorOf({ providers: reached, ...page }), undefined)
  assert.equal(errorOf({ signingKey: privatePem, signingKeyId: 'OURS:1' }), undefined)
  assert.equal(errorOf({ callbackKeys: 'published' }), undefined)
  assert.equal(errorOf({ callbackKeys: { 'HTTP_EC_P256_KEY:1': publicPem } }), undefined)
})

test('an invalid connection is refused with its field but none of its values', () => {
  const issues: [object, RegExp][] = [
    [{ token: 'secret token' }, /^connections\.africa\.token must match/],
    [{ token: undefined }, /^connections\.africa\.token is missing/],
    [{ providers: ['slb001'] }, /protocol must be rest for slb001$/],
    [{ providers: ['wave-ci'] }, /pageOrigin is missing; payers of wave-ci authorize on a page$/],
    [{ pageOrigin: 'http://secret.example' }, /pageOrigin must be an https origin/],
    [{ signingKey: privatePem }, /signingKey and signingKeyId must be set together$/],
    [{ signingKeyId: 'secret' }, /signingKey and signingKeyId must be set together$/],
    [{ signingKey: 'secret', signingKeyId: 'OURS:1' }, /signingKey must be a private key in PEM/],
    [{ signingKey: otherPem, signingKeyId: 'OURS:1' }, /signingKey must be a private key in PEM/],
    [{ signingKey: publicPem, signingKeyId: 'OURS:1' }, /signingKey must be a private key in PEM/],
    [{ signingKey: privatePem, signingKeyId: 'secret"' }, /^connections\.africa\.signingKeyId must match/],
    [{ callbackKeys: { 'KEY:1': 'secret' } }, /callbackKeys must be public keys in PEM/],
    [{ callbackKeys: 'secret' }, /^connections\.africa\.callbackKeys/],
    [{ callbackKeys: {} }, /^connections\.africa\.callbackKeys/],
    [{ missingAfterMs: 0 }, /^connections\.africa\.missingAfterMs is not a known field/],
  ]
  for (const [more, expected] of issues) {
    const fault = errorOf(more) ?? ''
    assert.match(fault, expected)
    assert.doesNotMatch(fault, /secret|BEGIN|MHc|MIG/)
  }
})
