import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createManualClock, type ManualClock } from '@pesewa/connector-kit/simulator'
import type { FastifyInstance } from 'fastify'
import { railKey } from '../../packages/rails/rest/test-keys.ts'
import { eventData } from '../../packages/server/src/events/events.ts'
import type { Clock } from '../../packages/server/src/platform/clock.ts'
import { type Database, homeOf, openDatabase } from '../../packages/server/src/platform/db/database.ts'
import type { Route } from '../../packages/server/src/platform/http/commands/route.ts'
import { createHttpServer } from '../../packages/server/src/platform/http/server/server.ts'
import { createMemoryRateLimiter } from '../../packages/server/src/platform/limits/rate-limits.ts'
import { followLivingNodes } from '../../packages/server/src/platform/living-nodes.ts'
import { createLog } from '../../packages/server/src/platform/log.ts'
import { createMetrics } from '../../packages/server/src/platform/metrics.ts'
import { createReadiness } from '../../packages/server/src/platform/readiness.ts'
import { createSeals, type Seals } from '../../packages/server/src/platform/seals.ts'
import { openSiblings } from '../../packages/server/src/platform/siblings.ts'
import { createVault } from '../../packages/server/src/platform/vault.ts'
import { loadCatalogue } from '../../packages/server/src/rails/connections/catalogue.ts'
import { openSimulator, type Simulator } from '../../packages/server/src/simulator/simulator.ts'
import { readSettings } from '../../packages/server/src/slices.ts'
import { createTestDatabase } from './database.ts'

export type TestSimulator = {
  seals: Seals
  /** The key from which the seals and the rails' credentials are derived. */
  secretKey: string

  /** `http://127.0.0.1:…/simulator` */
  url: string
  /**
   * Where the rails can send callbacks, and the callbacks that arrived. A URL that ends in `/refused` responds
   * with 500.
   */
  callbackUrl: string
  callbacks: { method: string; body: string }[]
  db: Database
  clock: ManualClock
  simulator: Simulator
  /** Stops this simulator and starts another on the same database and clock. */
  restart(): Promise<void>
  /** Starts another node on the same database and clock. */
  startAnother(): Promise<Simulator>
  close(): Promise<void>
}

const secretKey = 'a secret key that only this test knows'

/**
 * Starts the simulator with a real database, over HTTP, with a clock that the test moves. `baseUrl` is the URL
 * of the service that it calls back, if that is not the test itself.
 */
export async function startTestSimulator(
  options: {
    baseUrl?: string
    gatewayUrl?: string
    rateLimits?: 'on' | 'off'
    /** A file with additional providers. */
    providersFile?: string
  } = {},
): Promise<TestSimulator> {
  const database = await createTestDatabase()
  const db = openDatabase(database.connection, { maxConnections: 20, onIdleError: () => {} })
  const callbacks: TestSimulator['callbacks'] = []
  const receiver = await listen(
    createServer(async (request, response) => {
      callbacks.push({ method: request.method ?? '', body: await textOf(request) })
      response.writeHead(request.url?.endsWith('/refused') ? 500 : 200).end()
    }),
  )
  const clock = createManualClock()
  const seals = createSeals(secretKey)
  const { baseUrl = receiver.url, gatewayUrl = `${receiver.url}/ussd`, rateLimits = 'off' } = options
  const parts = { db, seals, log: createLog('error'), baseUrl }
  const open = () =>
    openSimulator(
      { ...parts, gatewayUrl, rateLimits, isOn: true, catalogue: loadCatalogue(options.providersFile) },
      clock,
    )
  const start = async () => {
    const simulator = await open()
    const server = await serve(parts, simulator.routes)
    await server.listen({ host: '127.0.0.1', port: 0 })
    simulator.start()
    return { simulator, server }
  }
  let running = await start()
  return {
    seals,
    secretKey,
    get url() {
      return `http://127.0.0.1:${(running.server.server.address() as AddressInfo).port}/simulator`
    },
    get simulator() {
      return running.simulator
    },
    callbackUrl: `${receiver.url}/callbacks`,
    callbacks,
    db,
    clock,
    async startAnother() {
      const another = await open()
      another.start()
      return another
    },
    async restart() {
      await running.simulator.stop()
      await running.server.close()
      running = await start()
    },
    async close() {
      await running.simulator.stop()
      await running.server.close()
      receiver.server.close()
      await db.close()
      await database.drop()
    },
  }
}

/**
 * Sets a handset's mode, as the page of handsets does. `url` is the simulator's, and `number` is in E.164
 * format with `+`.
 */
export const setHandsetMode = (url: string, number: string, mode: 'approve' | 'ask') =>
  callHandsets(url, 'mode', { number, mode })

/** Returns the prompts that are waiting on a handset, newest first. */
export async function promptsOf(url: string, number: string): Promise<HandsetPrompt[]> {
  const answer = await callHandsets(url, 'state', { numbers: [number] })
  const { handsets } = (await answer.json()) as { handsets: { prompts: HandsetPrompt[] }[] }
  return handsets.flatMap(({ prompts }) => prompts)
}
type HandsetPrompt = { reference: string; amount: string; what: string }

/** Answers a prompt as its recipient; returns `false` if the prompt is no longer there. */
export async function answerPrompt(
  url: string,
  number: string,
  reference: string,
  answer: 'approve' | 'decline',
): Promise<boolean> {
  const { status } = await callHandsets(url, 'answer', { number, reference, answer })
  return status === 200
}

const callHandsets = (url: string, path: string, body: object) =>
  fetch(`${url}/handsets/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

/** Returns a provider's statement as CSV, using the rails' key. */
export async function fetchStatement(
  url: string,
  seals: Seals,
  providerId: string,
  { from, to }: { from: Date; to: Date },
): Promise<string> {
  const query = new URLSearchParams({ from: from.toISOString(), to: to.toISOString() })
  const headers = { authorization: `Bearer ${railKey(seals)}` }
  return (await fetch(`${url}/statements/${providerId}?${query}`, { headers })).text()
}

/** A clock that is never moved. */
export const realTime = {
  now: () => new Date(),
  aheadMs: () => 0,
  moved: () => [],
  follow: async () => {},
  onMoved: () => {},
  close: async () => {},
} satisfies Clock

type Parts = {
  db: Database
  seals: ReturnType<typeof createSeals>
  log: ReturnType<typeof createLog>
  baseUrl: string
}

function serve(parts: Parts, routes: Route[]): Promise<FastifyInstance> {
  const refuse = () => Promise.reject(new Error('this server has no API routes'))
  return createHttpServer({
    platform: {
      ...parts,
      home: homeOf(parts.db),
      settings: readSettings({}),
      vault: createVault('a secret key of at least 32 characters'),
      metrics: createMetrics(),
      readiness: createReadiness(),
      siblings: openSiblings(),
      nodes: followLivingNodes(parts),
      limiter: createMemoryRateLimiter(),
      clock: realTime,
      clockWatch: {
        start: async () => {},
        isCorrect: () => true,
        isWrong: () => false,
        stop: async () => {},
      },
    },
    timeZoneOf: refuse,
    gate: { authenticate: refuse, enter: refuse, enterInstallation: refuse, isFresh: refuse },
    routes,
    eventData,
  })
}

async function listen(server: Server): Promise<{ server: Server; url: string }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}
