import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSettings } from '../../slices.ts'

const given = { OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'pesewa' }

test('an identity provider needs only an issuer and a client id', () => {
  const settings = readSettings(given)
  assert.equal(settings.oidcIssuer, 'https://id.example')
  assert.equal(settings.oidcScopes, 'openid email profile')
})

for (const [what, more, fault] of [
  ['without a client id', { OIDC_CLIENT_ID: '' }, /^OIDC_CLIENT_ID is required/],
  [
    'with two secrets',
    { OIDC_CLIENT_SECRET: 'a', OIDC_CLIENT_SECRET_FILE: 'b' },
    /^Set only one of OIDC_CLIENT_SECRET and/,
  ],
  ['without the openid scope', { OIDC_SCOPES: 'email profile' }, /^OIDC_SCOPES must include "openid"/],
  [
    'over plain http',
    { OIDC_ISSUER: 'http://id.example' },
    /^OIDC_ISSUER must be a URL that begins with https/,
  ],
] as const)
  test(`an identity provider ${what} is refused at start-up`, () => {
    assert.throws(() => readSettings({ ...given, ...more }), { message: fault })
  })
