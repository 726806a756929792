import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type App, openApp } from '../../packages/server/src/app.ts'
import { verifyBooks } from '../../packages/server/src/finance/books/verify.ts'
import { presentLine } from '../../packages/server/src/ledger/accounts/postings.ts'
import type { Line } from '../../packages/server/src/ledger/accounts/store.ts'
import { advanceTestClock } from '../../packages/server/src/platform/clock.ts'
import type { Database } from '../../packages/server/src/platform/db/database.ts'
import { sql } from '../../packages/server/src/platform/db/sql.ts'
import { showId } from '../../packages/server/src/platform/ids.ts'
import type { Environment, Scope } from '../../packages/server/src/platform/scope.ts'
import { findChecks, readSettings } from '../../packages/server/src/slices.ts'
import { spaceIds } from '../../packages/server/src/tenants/spaces/resources.ts'
import {
  addUser,
  createSpace,
  createToken,
  setMember,
  setOperator,
} from '../../packages/server/src/tenants/spaces/spaces.ts'
import { createAnswerCheck } from './answers.ts'
import { createTestDatabase } from './database.ts'
import { freePort } from './free-port.ts'
import { waitBeforeNextCheck } from './patience.ts'

// biome-ignore lint/suspicious/noExplicitAny: JSON from the wire; every response is checked against its schema
export type Answer = { status: number; headers: Headers; body: any }

/** A Space, one of its users and the user's token: everything an integrator needs. */
export type Merchant = {
  scope: Scope
  spaceId: string
  userId: string
  token: string
  /**
   * Returns the token for a path: a live token for the Space's members and, if the user is an operator, for the
   * installation.
   */
  tokenFor(path: string): string
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
}

export type MerchantOptions = {
  environment?: Environment
  role?: string
  scopes?: string[]
  country?: string
  name?: string
  /** Makes the user an operator, who calls installation routes with a live token. */
  isOperator?: boolean
  /** Creates another token for the Space and user of this merchant. */
  sameUserAs?: Merchant
  /** Creates another user in the Space of this merchant. */
  sameSpaceAs?: Merchant
}

export type TestApp = {
  app: App
  database: Awaited<ReturnType<typeof createTestDatabase>>
  baseUrl: string
  merchant(options?: MerchantOptions): Promise<Merchant>
  /** Moves the Space's clock forward. The service then runs whatever becomes due. */
  advance(scope: Scope, ms: number): Promise<void>
  /** Returns the events of one object, or of all, oldest first. */
  events(scope: Scope, objectId?: string): Promise<RecordedEvent[]>
  /** Asserts that the books add up, except for checks that a test breaks on purpose. */
  verify(options?: { except?: RegExp }): Promise<void>
  close(): Promise<void>
}

export type RecordedEvent = { type: string; objectId: string; data: object; callbackState: string | null }

export type TestOptions = {
  settings?: Record<string, string>
  app?: Parameters<typeof openApp>[2]
  work?: boolean
  /** Connects the acquirer in live to a URL that never responds, so that sessions can be created there. */
  hasLiveProvider?: boolean
  /** A database that the test has prepared. */
  database?: TestApp['database']
  /** Starts another node on this node's database. The first node must be closed last. */
  anotherNodeOf?: TestApp
}

/** The secret key, which all nodes of a deployment share. */
export const sharedSecret = 'the secret that all nodes of a test share'

const unreachableAcquirer = { protocol: 'acquirer', baseUrl: 'https://rail.invalid/v1', key: 'rail-key' }

/**
 * Starts the whole program with its own database, on a free port, and runs its jobs. Rate limits are off unless
 * the settings turn them on.
 */
export async function startTestApp(options: TestOptions = {}): Promise<TestApp> {
  const database = options.database ?? options.anotherNodeOf?.database ?? (await createTestDatabase())
  const dataDir = mkdtempSync(path.join(tmpdir(), 'pesewa-test-app-'))
  const providersFile = path.join(dataDir, 'providers.json')
  if (options.hasLiveProvider)
    writeFileSync(providersFile, JSON.stringify({ connections: { card: unreachableAcquirer } }))
  const port = String(await freePort())
  const settings = readSettings({
    ...(options.hasLiveProvider && { PROVIDERS_FILE: providersFile }),
    PORT: port,
    // Not `localhost`, which resolves to two addresses, because the tests make very many connections.
    BASE_URL: `http://127.0.0.1:${options.settings?.PORT ?? port}`,
    METRICS_PORT: '0',
    DATA_DIR: dataDir,
    SECRET_KEY: sharedSecret,
    RATE_LIMITS: 'off',
    SIMULATOR: 'on',
    LOG_LEVEL: 'error',
    DATABASE_POOL_SIZE: '30',
    ...options.settings,
  })
  const app = await openApp(settings, database.connection, options.app)
  await app.serve()
  if (options.work !== false) await app.work()
  const { baseUrl, db, clock } = app.parts
  const checkAnswer = createAnswerCheck(app.routes)

  const call = async (
    caller: { token: string; spaceId: string },
    method: string,
    url: string,
    body?: unknown,
    headers = {},
  ) => {
    const answer = await fetch(baseUrl + url, {
      method,
      headers: {
        authorization: `Bearer ${caller.token}`,
        'service-space-id': caller.spaceId,
        ...(method === 'POST' && { 'idempotency-key': randomUUID() }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const parsed = JSON.parse(await answer.text())
    assert.ok(answer.status < 500, `${method} ${url} answered ${answer.status}`)
    checkAnswer(method, url, answer.status, parsed)
    return { status: answer.status, headers: answer.headers, body: parsed }
  }

  return {
    app,
    database,
    baseUrl,
    async merchant({
      environment = 'test',
      role = 'owner',
      scopes = ['*'],
      country = 'SL',
      name = 'Test Shop',
      isOperator = false,
      sameUserAs,
      sameSpaceAs,
    } = {}) {
      return app.parts.home.transaction(async (tx) => {
        const existing = sameUserAs ?? sameSpaceAs
        const space = existing ? { id: existing.scope.spaceId } : await createSpace(tx, { name, country })
        const user = sameUserAs
          ? { id: sameUserAs.userId }
          : await addUser(tx, `${randomUUID()}@shop.example`)
        if (isOperator) await setOperator(tx, user.id, true)
        await setMember(tx, { spaceId: space.id, userId: user.id, role })
        const wanted = {
          userId: user.id,
          environment,
          name: 'test',
          scopes,
          lifeMs: null,
          spaceIds: null,
          networks: null,
        }
        const { text: token } = await createToken(tx, wanted)
        const live =
          environment === 'live' ? token : (await createToken(tx, { ...wanted, environment: 'live' })).text
        const tokenFor = (url: string) => {
          const isOfSpace = /^\/v1\/(?:members|invitations)\b/.test(url)
          return isOfSpace || (isOperator && url.startsWith('/v1/installation/')) ? live : token
        }
        const spaceId = showId(spaceIds, space.id)
        return {
          scope: { spaceId: space.id, environment },
          spaceId,
          userId: user.id,
          token,
          tokenFor,
          call: (method, url, ...rest) => call({ token: tokenFor(url), spaceId }, method, url, ...rest),
        }
      })
    },
    async advance(scope, ms) {
      const target = clock.now(scope).getTime() + ms
      await db.transaction((tx) => advanceTestClock(tx, scope.spaceId, ms))
      await until(() => clock.now(scope).getTime() >= target)
    },
    async events(scope, objectId) {
      const events = await readEvents(db, scope)
      return events.filter((event) => objectId === undefined || event.objectId === objectId)
    },
    async verify({ except } = {}) {
      const proof = await verifyBooks(db, findChecks, { seals: app.parts.seals })
      assert.deepEqual(
        proof.checks.filter(({ name, differences }) => differences.length > 0 && !except?.test(name)),
        [],
      )
    },
    async close() {
      await app.close()
      if (!options.anotherNodeOf) await database.drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/**
 * Returns the events that the rows of `event_facts` stand for: first the lines of a posting, then the object
 * with each of its event types.
 */
async function readEvents(db: Database, scope: Scope): Promise<RecordedEvent[]> {
  const { spaceId, environment } = scope
  const rows = await db.query<
    { types: string[]; objectId: string; posting: string | null; data: string } & RecordedEvent
  >(sql`
    select types, object_id, posting, data, callback_state from event_facts
    where space_id = ${spaceId} and environment = ${environment}
    order by at, data is not null, number`)
  const lines = await db.query<Line>(sql`
    select * from ledger_lines
    where space_id = ${spaceId} and environment = ${environment} and is_financial order by id`)
  return rows.flatMap(({ types, objectId, posting, data, callbackState }) => [
    ...lines
      .filter(({ reference }) => reference === posting)
      .map((line) => ({
        type: 'financial_transaction.created',
        objectId: line.id,
        data: presentLine(scope, line),
        callbackState: null,
      })),
    ...types.map((type) => ({ type, objectId, data: JSON.parse(data), callbackState })),
  ])
}

/** `TEST_TIMEOUT_MS` is for slow machines. */
const patienceMs = Math.max(60_000, Number(process.env.TEST_TIMEOUT_MS ?? 0) / 2)

/** Waits until `look` returns a truthy value, and returns it. Fails if that takes too long. */
export async function until<T>(
  look: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  const since = performance.now()
  for (;;) {
    const seen = await look()
    if (seen) return seen
    assert.ok(performance.now() < since + patienceMs, `condition not met after ${patienceMs} ms: ${look}`)
    await waitBeforeNextCheck(since)
  }
}
