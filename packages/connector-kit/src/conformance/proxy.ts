import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createPeer, NoAnswer, send } from '../outbound.ts'
import { listenOnLoopback, readBody } from './loopback.ts'

export type ProxiedAnswer = { status: number; body: string; location?: string }

/** Handles a message about a payment. If it returns no answer, the proxy drops the connection. */
export type Interference = (forward: () => Promise<ProxiedAnswer>) => Promise<ProxiedAnswer | undefined>

export type RailProxy = {
  /** The URL that the connector under test uses instead of the rail's own. */
  baseUrl: string
  /** Intercepts messages that contain this reference; all others are passed on. */
  interfere(reference: string, interference: Interference): void
  /** Treats messages that contain the rail's own reference as if they contained ours. */
  alias(providerReference: string, reference: string): void
  /**
   * Passes on messages that contain this reference, unless they are intercepted, and records whether any of
   * them reached the rail.
   */
  watch(reference: string): void
  hasForwarded(reference: string): boolean
  close(): void
}

const maxConnections = 20
const forwardMs = 30_000 // time limit for a message from the proxy to the rail

/** Starts a proxy on loopback between a connector and its rail. */
export async function startProxy(railUrl: string): Promise<RailProxy> {
  const { origin, pathname } = new URL(railUrl)
  const peer = createPeer(maxConnections)
  const interferences = new Map<string, Interference>()
  const aliases = new Map<string, string>()
  const forwarded = new Set<string>()
  const server = createServer(async (request, response) => {
    const body = (await readBody(request)).toString()
    const sent = `${request.url} ${JSON.stringify(request.headers)} ${body}`
    const named = [...aliases].flatMap(([alias, reference]) => (sent.includes(alias) ? [reference] : []))
    const text = [sent, ...named].join(' ')
    const [about, interfere = passOn] =
      [...interferences].find(([reference]) => text.includes(reference)) ?? []
    const forward = async () => {
      if (about !== undefined) forwarded.add(about)
      const answered = await send(peer, {
        method: methodOf(request),
        url: `${origin}${request.url}`,
        headers: passedOn(request),
        ...(body !== '' && { body }),
        timeoutMs: forwardMs,
      })
      // If the response contains a path, later requests to that path are about the same payment.
      for (const [, link = ''] of answered.body.matchAll(/"(\/[^"\s]{8,200})"/g))
        if (about !== undefined) aliases.set(link, about)
      return answered
    }
    answer(response, await interfere(forward).catch(asDropped))
  })
  const url = await listenOnLoopback(server)
  return {
    baseUrl: `${url}${pathname === '/' ? '' : pathname}`,
    interfere: (reference, interference) => void interferences.set(reference, interference),
    alias: (providerReference, reference) => void aliases.set(providerReference, reference),
    watch(reference) {
      if (!interferences.has(reference)) interferences.set(reference, passOn)
    },
    hasForwarded: (reference) => forwarded.has(reference),
    close() {
      server.closeAllConnections()
      server.close()
      void peer.destroy()
    },
  }
}

const passOn: Interference = (forward) => forward()

/** Makes the proxy drop the connection if the rail did not respond. */
function asDropped(error: unknown): undefined {
  if (!(error instanceof NoAnswer)) throw error
}

const methodOf = ({ method }: IncomingMessage) => (method === 'POST' || method === 'PUT' ? method : 'GET')

const ofTheHop = ['host', 'connection', 'content-length', 'transfer-encoding', 'expect', 'keep-alive']

const passedOn = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' && !ofTheHop.includes(name) ? [[name, value]] : [],
    ),
  )

function answer(response: ServerResponse, answered: ProxiedAnswer | undefined): void {
  if (!answered) return void response.destroy()
  const { status, body, location } = answered
  response.writeHead(status, { 'content-type': 'application/json', ...(location && { location }) }).end(body)
}
