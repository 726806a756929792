import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { about } from '@pesewa/connector-kit/testing'
import { mpesaDaraja } from './protocol.ts'
import { encryptionKeyOf, securityCredential } from './security-credential.ts'
import { createSourceCheck } from './source-addresses.ts'
import {
  acceptedResponse,
  certificate,
  checkoutId,
  codeOrOutcome,
  collection,
  connectDaraja,
  darajaSecrets,
  openCredential,
  payout,
  payouts,
  reference,
  refusal,
  reversal,
  startGateway,
} from './testing.ts'

const gateway = await startGateway()
let mpesa = connectDaraja(gateway.baseUrl)
after(async () => {
  await mpesa.close()
  gateway.close()
})
beforeEach(async () => {
  await mpesa.close()
  mpesa = connectDaraja(gateway.baseUrl)
  gateway.reset()
})

describe('a token', () => {
  test('is requested with key and secret and used for its lifetime, given as a number or as text', async () => {
    gateway.answer(200, acceptedResponse)
    for (const expires_in of [3599, '3599']) {
      gateway.reset()
      const fresh = connectDaraja(gateway.baseUrl)
      gateway.onToken = () => [200, { access_token: darajaSecrets.token, expires_in }]
      await fresh.collect(collection)
      await fresh.collect(collection)
      assert.equal(gateway.tokens.length, 1)
      const { url, headers } = gateway.tokens[0]!
      assert.equal(url, '/oauth/v1/generate?grant_type=client_credentials')
      const basic = Buffer.from(`${darajaSecrets.consumerKey}:${darajaSecrets.consumerSecret}`).toString(
        'base64',
      )
      assert.equal(headers.authorization, `Basic ${basic}`)
      await fresh.close()
    }
  })

  test('that a product rejects is replaced once, and the message is repeated', async () => {
    for (const [status, document] of [
      [404, refusal('404.001.03', 'Invalid Access Token')],
      [401, refusal('401.002.01', 'Invalid Access Token')],
      [400, refusal('400.003.01', 'Invalid Access Token')],
    ] as const) {
      gateway.reset()
      let calls = 0
      gateway.onCall = () => (++calls === 1 ? [status, document] : [200, acceptedResponse])
      assert.equal(codeOrOutcome(await mpesa.collect(collection)), 'accepted')
      assert.equal(gateway.seen.length, 2)
    }
    gateway.reset()
    gateway.answer(404, refusal('404.001.01'))
    await mpesa.collect(collection)
    assert.equal(gateway.seen.length, 1)
  })

  test('is required for every message', async () => {
    for (const code of ['400.008.01', '400.008.02']) {
      gateway.onToken = () => [400, refusal(code, 'Invalid Authentication passed')]
      assert.equal(codeOrOutcome(await mpesa.collect(collection)), 'unknown')
    }
    assert.equal(gateway.seen.length, 0)
  })
})

describe('a connection', () => {
  const opened = securityCredential({ initiatorPassword: 'p#ss&w%rd$1', certificate })

  test('encrypts its credential with a certificate in PEM or base64, even an expired one', () => {
    assert.match(opened, /^[A-Za-z0-9+/]{342}==$/)
    assert.equal(openCredential(opened), 'p#ss&w%rd$1')
    const bare = certificate.replace(/-----[A-Z ]+-----|\s/g, '')
    assert.equal(openCredential(securityCredential({ initiatorPassword: 'x', certificate: bare })), 'x')
    assert.equal(encryptionKeyOf('not a certificate'), undefined)
  })

  test('reports errors without the configured values', () => {
    const { payouts: _, ...rest } = connection
    const provider = { currencies: ['KES'] } as never
    const errorOf = (more: object, of = provider) =>
      mpesaDaraja.findIssue?.({ ...rest, ...more } as never, of)
    assert.equal(errorOf({}), undefined)
    assert.equal(errorOf({ payouts, callbackAddresses: ['::1', '10.0.0.0/8'] }), undefined)
    assert.equal(errorOf({}, { currencies: ['UGX'] } as never), 'this protocol supports only KES')
    const certificateError = 'payouts.certificate is not an X.509 certificate with an RSA key'
    assert.equal(errorOf({ payouts: { ...payouts, certificate: 'x' } }), certificateError)
    assert.match(String(errorOf({ bills: {}, till: '123456' })), /PayBill/)
    assert.equal(errorOf({ bills: { pullNumber: '254708000000' } }), undefined)
    for (const address of ['example.com', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '::/129'])
      assert.match(
        String(errorOf({ callbackAddresses: ['10.0.0.1', address] })),
        /^callbackAddresses\[1\] is/,
      )
  })

  test('shows no secret, token or credential in its results', async () => {
    const results: unknown[] = []
    for (const [status, document] of [
      [500, refusal('500.001.1001', `${Object.values(darajaSecrets).join(' ')}`)],
      [400, Object.values(darajaSecrets).join(' ')],
      [200, { ResponseCode: darajaSecrets.passkey, ResultCode: darajaSecrets.token }],
    ] as const) {
      gateway.answer(status, document)
      results.push(
        await mpesa.collect(collection),
        await mpesa.disburse(payout),
        await mpesa.refund(reversal),
      )
      results.push(await mpesa.queryCollection(about(reference, { providerReference: checkoutId })))
      results.push(
        await mpesa.queryDisbursement(about(reference)),
        await mpesa.verifyAccount('+254708374149'),
      )
    }
    gateway.onToken = () => [400, Object.values(darajaSecrets).join(' ')]
    const fresh = connectDaraja(gateway.baseUrl)
    results.push(await fresh.collect(collection))
    await fresh.close()
    const shown = JSON.stringify(results)
    for (const secret of Object.values(darajaSecrets)) assert.ok(!shown.includes(secret), secret)
  })
})

test('shows only codes in Safaricom’s format, because others may be an echoed secret', async () => {
  const query = about(reference, { providerReference: checkoutId })
  const whyOf = async (status: number, document: object) => {
    gateway.answer(status, document)
    return JSON.stringify([
      await mpesa.queryCollection(query),
      await mpesa.disburse(payout),
      await mpesa.verifyAccount('+254708374149'),
    ])
  }
  assert.match(await whyOf(500, refusal('500.003.1001')), /500\.003\.1001/)
  assert.match(await whyOf(200, { ...acceptedResponse, ResultCode: '9999' }), /ResultCode 9999/)
  const passkey = 'bfb279f9aa9bdbcf158e'
  for (const document of [refusal(passkey), { ...acceptedResponse, ResultCode: passkey }])
    for (const status of [200, 400, 500]) assert.ok(!(await whyOf(status, document)).includes(passkey))
})

const { token: _, initiatorPassword: __, ...keys } = darajaSecrets
const connection = { ...keys, baseUrl: gateway.baseUrl, shortCode: '600111', payouts }

test('addresses outside the list of sources are not trusted', () => {
  assert.equal(createSourceCheck(['192.0.2.1'])('192.0.2.1'), true)
  assert.equal(createSourceCheck(['192.0.2.1'])('192.0.2.2'), false)
})
