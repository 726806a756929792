import assert from 'node:assert/strict'
import { Agent, type IncomingHttpHeaders, request as openRequest } from 'node:http'
import { connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { refusalCatalogue } from '../../packages/server/src/platform/refusals.ts'

export type WireRequest = {
  method?: string
  path: string
  headers?: Record<string, string | string[]>
  /** A list of parts is sent with chunked encoding, without a length. */
  body?: string | Buffer | string[]
}

// biome-ignore lint/suspicious/noExplicitAny: JSON from the wire
export type WireAnswer = { status: number; headers: IncomingHttpHeaders; text: string; json: any }

/** Sends exactly this request, even if it is invalid, and checks what every response must have. */
export async function send(baseUrl: string, wanted: WireRequest): Promise<WireAnswer> {
  const answer = await exchange(baseUrl, wanted)
  checkHeaders(answer)
  if (answer.status >= 400 && wanted.method !== 'HEAD') checkEnvelope(answer)
  return answer
}

const agent = new Agent({ keepAlive: true })

function exchange(
  baseUrl: string,
  { method = 'GET', path, headers = {}, body }: WireRequest,
): Promise<WireAnswer> {
  const { hostname, port } = new URL(baseUrl)
  return new Promise((resolve, reject) => {
    const request = openRequest({
      hostname,
      port,
      method,
      path,
      headers: { ...headers, ...lengthOf(body) },
      agent,
    })
    request.on('error', reject)
    request.on('response', async (response) => {
      const parts: Buffer[] = []
      for await (const part of response) parts.push(part)
      const text = Buffer.concat(parts).toString()
      const isJson = text !== '' && String(response.headers['content-type']).startsWith('application/json')
      resolve({
        status: response.statusCode!,
        headers: response.headers,
        text,
        json: isJson ? JSON.parse(text) : undefined,
      })
    })
    if (Array.isArray(body)) for (const part of body) request.write(part)
    else if (body !== undefined) request.write(body)
    request.end()
  })
}

/**
 * Sends bytes that need not be valid HTTP, and reads until the connection closes. Checks the response as `send`
 * does.
 */
export async function sendBytes(baseUrl: string, bytes: string | Buffer): Promise<WireAnswer> {
  const { hostname, port } = new URL(baseUrl)
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
  socket.on('error', () => {})
  socket.write(bytes)
  const [head = '', text = ''] = (await buffer(socket)).toString().split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.split(':', 1)[0]!.toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const status = Number(/^HTTP\/1\.1 (\d{3}) \w/.exec(first)?.[1])
  assert.equal(Number(headers['content-length']), Buffer.byteLength(text))
  assert.equal(headers.connection, 'close')
  const answer = { status, headers, text, json: JSON.parse(text) }
  checkHeaders(answer)
  checkEnvelope(answer)
  return answer
}

function lengthOf(body: WireRequest['body']): Record<string, string> {
  return body === undefined || Array.isArray(body)
    ? {}
    : { 'content-length': String(Buffer.byteLength(body)) }
}

function checkHeaders({ headers, status }: WireAnswer): void {
  assert.match(String(headers['service-request-id']), /^req-[0-7][0-9a-hjkmnp-tv-z]{25}$/)
  assert.equal(headers['x-request-id'], headers['service-request-id'])
  assert.equal(headers['service-version'], 'baobab.2026-11-21')
  assert.match(String(headers['service-request-duration']), /^\d+$/)
  assert.equal(headers['www-authenticate'], status === 401 ? 'Bearer' : undefined)
}

function checkEnvelope({ status, json, text }: WireAnswer): void {
  assert.deepEqual(Object.keys(json), ['success', 'messages', 'error'], text)
  const { code, reason, message, details, ...rest } = json.error
  assert.deepEqual([json.success, code, rest], [false, status, {}])
  assert.equal(refusalCatalogue[reason as keyof typeof refusalCatalogue]?.[0], status)
  assert.deepEqual(json.messages, reason === 'too_many_requests' ? [] : [message])
  for (const { param, errors } of details) {
    assert.ok(typeof param === 'string' && param !== '')
    assert.ok(
      errors.length > 0 && errors.every((error: unknown) => typeof error === 'string' && error !== ''),
    )
  }
}
