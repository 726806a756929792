import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type App, openApp } from '../../src/app.ts'
import { verifyBooks } from '../../src/books/verify.ts'
import { type Line, presentLine } from '../../src/ledger/postings.ts'
import { advanceTestClock } from '../../src/platform/clock.ts'
import type { Database } from '../../src/platform/db/database.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { showId } from '../../src/platform/ids.ts'
import type { Environment, Scope } from '../../src/platform/scope.ts'
import { findChecks, readSettings } from '../../src/slices.ts'
import { spaceIds } from '../../src/spaces/resources.ts'
import { addUser, createSpace, createToken, setMember, setOperator } from '../../src/spaces/spaces.ts'
import { createAnswerCheck } from './answers.ts'
import { createTestDatabase } from './database.ts'
import { nextLook } from './patience.ts'

// biome-ignore lint/suspicious/noExplicitAny: what came over the wire; every answer is checked against its shape
export type Answer = { status: number; headers: Headers; body: any }

/** A Space, a user in it and their token: what an integrator has. */
export type Merchant = {
  scope: Scope
  spaceId: string
  userId: string
  token: string
  /** The token that it calls a path with: one of live for the Space's members, and for the installation where it operates that. */
  tokenFor(path: string): string
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
}

export type MerchantWish = {
  environment?: Environment
  role?: string
  scopes?: string[]
  country?: string
  name?: string
  /** Its user is an operator, and calls what is of the installation with a token of live. */
  isOperator?: boolean
  /** Another token for the same Space and user. */
  of?: Merchant
  /** In the same Space, but another user. */
  beside?: Merchant
}

export type TestApp = {
  app: App
  database: Awaited<ReturnType<typeof createTestDatabase>>
  baseUrl: string
  merchant(wish?: MerchantWish): Promise<Merchant>
  /** Moves the Space's clock; what becomes due then runs by itself. */
  advance(scope: Scope, ms: number): Promise<void>
  /** The events of one object, oldest first. */
  events(scope: Scope, objectId?: string): Promise<Told[]>
  /** The books must add up, but for checks that a test breaks on purpose. */
  verify(options?: { but?: RegExp }): Promise<void>
  close(): Promise<void>
}

export type Told = { type: string; objectId: string; data: object; callbackState: string | null }

export type TestOptions = {
  settings?: Record<string, string>
  app?: Parameters<typeof openApp>[2]
  work?: boolean
  /** In live the acquirer is connected, to an address where nothing answers: sessions can be created there. */
  hasLiveProvider?: boolean
  /** Another node on the database of this one, which is to be closed last. */
  beside?: TestApp
}

/** All nodes of a deployment have the same. */
export const secretOfNodes = 'the secret that all nodes of a test have'

const nobody = { protocol: 'acquirer', baseUrl: 'https://rail.invalid/v1', key: 'rail-key' }

/** The whole program on a database of its own, with jobs, on a free port. Limits are off unless asked for. */
export async function startTestApp(options: TestOptions = {}): Promise<TestApp> {
  const database = options.beside?.database ?? (await createTestDatabase())
  const dataDir = mkdtempSync(path.join(tmpdir(), 'pesewa-test-app-'))
  const providersFile = path.join(dataDir, 'providers.json')
  if (options.hasLiveProvider) writeFileSync(providersFile, JSON.stringify({ connections: { card: nobody } }))
  const settings = readSettings({
    ...(options.hasLiveProvider && { PROVIDERS_FILE: providersFile }),
    PORT: '0',
    METRICS_PORT: '0',
    DATA_DIR: dataDir,
    SECRET_KEY: secretOfNodes,
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
    wish: { token: string; spaceId: string },
    method: string,
    url: string,
    body?: unknown,
    headers = {},
  ) => {
    const answer = await fetch(baseUrl + url, {
      method,
      headers: {
        authorization: `Bearer ${wish.token}`,
        'service-space-id': wish.spaceId,
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
      of,
      beside,
    } = {}) {
      return db.transaction(async (tx) => {
        const there = of ?? beside
        const space = there ? { id: there.scope.spaceId } : await createSpace(tx, { name, country })
        const user = of ? { id: of.userId } : await addUser(tx, `${randomUUID()}@shop.example`)
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
      const told = await tellEvents(db, scope)
      return told.filter((event) => objectId === undefined || event.objectId === objectId)
    },
    async verify({ but } = {}) {
      const proof = await verifyBooks(db, findChecks, { seals: app.parts.seals })
      assert.deepEqual(
        proof.checks.filter(({ name, differences }) => differences.length > 0 && !but?.test(name)),
        [],
      )
    },
    async close() {
      await app.close()
      if (!options.beside) await database.drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** The rows of `event_facts` as what they tell, one by one: the lines of a posting, then the object under each type. */
async function tellEvents(db: Database, scope: Scope): Promise<Told[]> {
  const { spaceId, environment } = scope
  const rows = await db.query<
    { types: string[]; objectId: string; posting: string | null; data: string } & Told
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

const patienceMs = 60_000

/** Waits for what must become true by itself; fails when it does not. */
export async function until<T>(
  look: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  const since = performance.now()
  for (;;) {
    const seen = await look()
    if (seen) return seen
    assert.ok(performance.now() < since + patienceMs, `still not so after ${patienceMs} ms: ${look}`)
    await nextLook(since)
  }
}
