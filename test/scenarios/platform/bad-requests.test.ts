import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { defaultTimeouts } from '../../../packages/server/src/platform/http/admission/connections.ts'
import { startTestApp } from '../../support/harness.ts'
import { send, sendBytes } from '../../support/wire.ts'

const timeouts = { ...defaultTimeouts, headersTimeoutMs: 300, requestTimeoutMs: 300, checkEveryMs: 50 }
const t = await startTestApp({ work: false, app: { timeouts } })
after(() => t.close())

const outcome = async (bytes: string | Buffer) => {
  const { status, json } = await sendBytes(t.baseUrl, bytes)
  return [status, json.error.reason]
}
const post = 'POST /callbacks/payments/x HTTP/1.1\r\nHost: a\r\n'

describe('an invalid request gets the envelope and a request id', () => {
  test('a request line or headers that are too long', async () => {
    for (const size of [17_000, 200_000, 2_000_000]) {
      const long = 'a'.repeat(size)
      for (const bytes of [
        `GET /${long} HTTP/1.1\r\nHost: a\r\n\r\n`,
        `GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${long}\r\n\r\n`,
        `GET / HTTP/1.1\r\nHost: a\r\n${'X-Many: 1\r\n'.repeat(size / 10)}\r\n`,
      ])
        assert.deepEqual(await outcome(bytes), [431, 'headers_too_large'], `${bytes.slice(0, 40)} ${size}`)
    }
  })

  for (const [what, bytes] of Object.entries({
    'a line that is not HTTP': 'hello\r\n\r\n',
    'a TLS handshake': Buffer.from('16030100a5010000a10303', 'hex'),
    'an HTTP version that does not exist': 'GET / HTTP/7.3\r\nHost: a\r\n\r\n',
    'a method that does not exist': 'FETCH / HTTP/1.1\r\nHost: a\r\n\r\n',
    'a header without a name': 'GET / HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n',
    'a length that is not a number': `${post}Content-Length: ten\r\n\r\n`,
    'both a length and chunks': `${post}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    'an invalid chunk': `${post}Content-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
    'no host': 'GET /v1/payments HTTP/1.1\r\nConnection: close\r\n\r\n',
  }))
    test(what, async () => assert.deepEqual(await outcome(bytes), [400, 'request_invalid']))

  test('a request that does not arrive in time', async () => {
    assert.deepEqual(await outcome(''), [408, 'request_timeout'])
    assert.deepEqual(await outcome('GET /v1/pay'), [408, 'request_timeout'])
  })
})

test('no URL supports TRACE', async () => {
  for (const path of ['/v1/payments', '/v1/payments/x', '/', '/pay/x']) {
    const { status, json, headers } = await send(t.baseUrl, { method: 'TRACE', path })
    assert.deepEqual([status, json.error.reason], [405, 'method_not_allowed'], path)
    assert.match(String(headers.allow), /^GET, HEAD/)
  }
  assert.equal((await send(t.baseUrl, { method: 'TRACE', path: '/v1/nowhere' })).status, 404)
})
