import { randomInt } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent } from 'undici'
import { onTask } from './children.ts'

// A remote rail, in its own process: the part of MTN's collection protocol that an immediately approved payment
// needs. Every call except for tokens takes `latencyMs`. The callback is sent as soon as the request has been
// answered.

/** Behaviour of the rail until the next message. */
export type RailTask = {
  latencyMs: number
  /** Providers that accept every call and never respond. */
  hanging: string[]
}

type Call = { provider: string; reference: string }

const callbackConnections = 64

onTask<RailTask>(async (task, tell) => {
  // Hanging calls are released when the behaviour changes.
  let { latencyMs, hanging } = task
  const peer = new Agent({ connections: callbackConnections, pipelining: 1 })
  const known = new Map<string, object>()
  let told = Promise.withResolvers<void>()

  const answer = async (response: ServerResponse, { provider }: Call, status: number, body: object) => {
    if (hanging.includes(provider)) await told.promise
    else if (latencyMs > 0) await sleep(latencyMs)
    send(response, status, body)
  }
  const requestToPay = async (request: IncomingMessage, response: ServerResponse, call: Call) => {
    const asked = JSON.parse(await text(request))
    const document = { ...asked, status: 'SUCCESSFUL', financialTransactionId: String(randomInt(2 ** 47)) }
    known.set(call.reference, document)
    await answer(response, call, 202, {})
    const [url, body] = [String(request.headers['x-callback-url']), JSON.stringify(document)]
    const { origin, pathname: path } = new URL(url)
    const headers = { 'content-type': 'application/json' }
    await peer.request({ origin, path, method: 'PUT', headers, body }).then(({ body }) => body.dump())
  }
  const server = createServer((request, response) => {
    const [, provider = '', path = ''] = /^\/mtn-momo\/([^/]+)\/collection(\/.*)$/.exec(request.url!) ?? []
    if (path.startsWith('/token')) return send(response, 200, { access_token: 'token', expires_in: 3600 })
    if (request.method === 'POST') {
      const reference = String(request.headers['x-reference-id'])
      // If a callback is lost, a query finds the outcome.
      return void requestToPay(request, response, { provider, reference }).catch(() => {})
    }
    const reference = path.slice(path.lastIndexOf('/') + 1)
    const document = known.get(reference)
    void answer(
      response,
      { provider, reference },
      document ? 200 : 404,
      document ?? { code: 'RESOURCE_NOT_FOUND' },
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 4_096, resolve))
  process.on('message', (next: RailTask) => {
    ;({ latencyMs, hanging } = next)
    told.resolve()
    told = Promise.withResolvers<void>()
  })
  await tell({ kind: 'listening', port: (server.address() as AddressInfo).port })
  await new Promise(() => {})
})

function send(response: ServerResponse, status: number, body: object): void {
  if (response.destroyed) return
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
