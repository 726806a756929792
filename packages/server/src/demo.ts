import path from 'node:path'
import { must } from '@pesewa/values'
import type { App } from './app.ts'
import { claimForCounter } from './demo/counter.ts'
import type { DemoDoor } from './demo/door.ts'
import { beginOfHistory, writeHistory } from './demo/history.ts'
import { type DemoRole, demoEmails, demoRoles } from './demo/people.ts'
import { showProgress } from './demo/progress.ts'
import { shop } from './demo/shop.ts'
import { type Demo, readDemo, saveDemo } from './demo-file.ts'
import { findMainAccount, mainAccount, systemAccount } from './ledger/accounts/accounts.ts'
import { applyLedgerWork } from './ledger/accounts/holds.ts'
import { beginBooks } from './ledger/accounts/new-books.ts'
import type { Posting } from './ledger/accounts/postings.ts'
import { newReference } from './ledger/accounts/reference.ts'
import { accountIds } from './ledger/accounts/resources.ts'
import { selectAttempts } from './money/payments/store.ts'
import { readId, showId } from './platform/ids.ts'
import type { Scope } from './platform/scope.ts'
import type { Parts } from './slices.ts'
import { createLink, printedLinkMs } from './tenants/sign-in/links.ts'
import { spaceIds } from './tenants/spaces/resources.ts'
import { addUser, createSpace, createToken, setMember } from './tenants/spaces/spaces.ts'
import { type Space, selectSpaces, selectUserByEmail } from './tenants/spaces/store.ts'
import { createSession } from './ways-to-pay/checkout/new-session.ts'
import { createPaying } from './ways-to-pay/checkout/paying.ts'
import { presentSession } from './ways-to-pay/checkout/sessions.ts'
import { type CheckoutSession, selectSessions } from './ways-to-pay/checkout/store.ts'
import { testGatewayUrl } from './ways-to-pay/ussd/test-gateway.ts'

type Found = { demo: Demo | undefined; checkoutUrl: string | undefined }
type Prepared = Found & { signInUrl: string | undefined }

const tokenLifeMs = 90 * 86_400_000
const funded = { SLE: 1_000_000n, GHS: 1_000_000n }
const payableName = 'Country cloth, two lappa'
const payableForMs = 60 * 60_000
const sessionsSearched = 50
const demoPhone = '+23276000000'

/**
 * On the first run, creates a Space with tokens, funded test accounts and one completed payment. On every run,
 * provides a checkout page that can be paid.
 */
export async function prepareDemo({ parts, demoDoor }: App): Promise<Prepared> {
  const spaces = await selectSpaces(parts.db)
  const prepared = spaces.length > 0 ? await findDemo(parts, spaces) : await makeDemo(parts)
  const { demo } = prepared
  if (demo) openDoor(parts, demoDoor, demo)
  return { ...prepared, signInUrl: demo && (await createSignInUrl(parts, 'owner')) }
}

/** Opens the door of this process to the demo that another process has prepared. */
export async function joinDemo({ parts, demoDoor }: App): Promise<void> {
  const demo = readDemoOf(await selectSpaces(parts.db), parts.settings.dataDir)
  if (demo) openDoor(parts, demoDoor, demo)
}

/** With a live provider, anyone who signs in could move real money, so the front page does not offer sign-ins. */
const hasLiveProvider = ({ catalogue, connectors }: Parts) =>
  catalogue.all().some(({ providerId }) => connectors.findRoutes(providerId, 'live').length > 0)

function openDoor(parts: Parts, door: DemoDoor, demo: Demo): void {
  if (hasLiveProvider(parts)) return
  const scope = testScopeOf(demo)
  door.open({
    signIn: async (role) => must(await createSignInUrl(parts, role), 'user of the demo'),
    async pay() {
      const open = (await findPayable(parts, scope)) ?? (await openSession(parts, scope, payableName))
      return presentSession(parts, scope, open).redirectUrl
    },
    apiAddress: apiAddressOf(demo),
  })
}

/** Browsers do not send the part after `#` to the server. */
const apiAddressOf = ({ testToken, spaceId }: Demo) =>
  `/docs/reference/api#token=${testToken}&space=${spaceId}`

/** Creates a sign-in link for one of the demo's people. Each start prints a new link for the owner. */
async function createSignInUrl(parts: Parts, role: DemoRole): Promise<string | undefined> {
  const user = await selectUserByEmail(parts.db, demoEmails[role])
  return user && parts.home.transaction((tx) => createLink(tx, parts, user.id, printedLinkMs))
}

async function makeDemo(parts: Parts): Promise<Found> {
  showProgress('Opening a demo shop with thirty days of business …')
  const opened = await createDemoSpace(parts)
  return completeDemo(parts, opened)
}

/** Writes the month of a demo that has its Space and users. An earlier start may have ended before it was written. */
async function completeDemo(parts: Parts, opened: Demo): Promise<Found> {
  const scope = testScopeOf(opened)
  const demo = { ...opened, ...demoAddresses(parts), financialAccountId: await writeMonth(parts, scope) }
  saveDemo(parts.settings.dataDir, demo)
  // Without the simulator, no payment could be completed.
  if (!parts.connectors.isActive('m17', 'test')) return { demo, checkoutUrl: undefined }
  const [open] = await Promise.all([openSession(parts, scope, payableName), payFirst(parts, scope)])
  return { demo, checkoutUrl: presentSession(parts, scope, open).redirectUrl }
}

/** Returns the saved demo if its Space is one of these. */
function readDemoOf(spaces: Space[], dataDir: string): Demo | undefined {
  const saved = readDemo(dataDir)
  return spaces.some(({ id }) => showId(spaceIds, id) === saved?.spaceId) ? saved : undefined
}

const testScopeOf = ({ spaceId }: Demo): Scope => ({
  spaceId: must(readId(spaceIds, spaceId), 'id of the demo’s Space'),
  environment: 'test',
})

async function findDemo(parts: Parts, spaces: Space[]): Promise<Found> {
  const { dataDir } = parts.settings
  const saved = readDemoOf(spaces, dataDir)
  if (!saved) return { demo: undefined, checkoutUrl: undefined }
  if (saved.financialAccountId === null) return completeDemo(parts, saved)
  const demo = { ...saved, ...demoAddresses(parts) }
  if (JSON.stringify(saved) !== JSON.stringify(demo)) saveDemo(dataDir, demo)
  const scope = testScopeOf(demo)
  const open = (await findPayable(parts, scope)) ?? (await openSession(parts, scope, payableName))
  return { demo, checkoutUrl: presentSession(parts, scope, open).redirectUrl }
}

/**
 * Returns a checkout session that was created on an earlier start, is still unpaid and will stay open for a
 * while. Returns `undefined` if there is none.
 */
async function findPayable({ db, clock }: Parts, scope: Scope): Promise<CheckoutSession | undefined> {
  const until = new Date(clock.now(scope).getTime() + payableForMs)
  const { rows } = await selectSessions(db, scope, {}, { take: sessionsSearched, after: undefined })
  for (const session of rows) {
    if (session.name !== payableName || session.status !== 'pending' || session.expiresAt < until) continue
    const [attempt] = await selectAttempts(db, scope, session.id, 1)
    if (!attempt || attempt.status === 'failed') return session
  }
  return undefined
}

/** Returns the current URLs, because those in an older demo file may be missing or outdated. */
const demoAddresses = ({ baseUrl, seals }: Parts) => ({
  baseUrl,
  simulatorUrl: `${baseUrl}/simulator`,
  ussdUrl: testGatewayUrl(baseUrl, seals),
})

/** Creates the Space, its users and its tokens. */
function createDemoSpace(parts: Parts): Promise<Demo> {
  const { home, settings } = parts
  return home.transaction(async (tx) => {
    const space = await createSpace(tx, { name: shop.name, country: 'SL' })
    const users = {
      owner: await addUser(tx, demoEmails.owner, { isOperator: true }),
      finance: await addUser(tx, demoEmails.finance),
      support: await addUser(tx, demoEmails.support),
    }
    for (const role of demoRoles) await setMember(tx, { spaceId: space.id, userId: users[role].id, role })
    const rights = {
      userId: users.owner.id,
      scopes: ['*'],
      lifeMs: tokenLifeMs,
      spaceIds: [space.id],
      networks: null,
    }
    const test = await createToken(tx, { ...rights, environment: 'test', name: 'Demo, test' })
    const live = await createToken(tx, { ...rights, environment: 'live', name: 'Demo, live' })
    const spaceId = showId(spaceIds, space.id)
    const tokens = { testToken: test.text, liveToken: live.text }
    const demo = { ...demoAddresses(parts), spaceId, ...tokens, financialAccountId: null }
    // Saved before the commit. Otherwise, the next start could find a Space whose tokens are lost, and would
    // not create another Space.
    saveDemo(settings.dataDir, demo)
    return demo
  })
}

/** Writes the month, unless it is already written, and returns the id of the main account. */
async function writeMonth(parts: Parts, scope: Scope): Promise<string> {
  const { db, home, clock } = parts
  const users = {
    owner: must(await selectUserByEmail(home, demoEmails.owner), 'owner of the demo'),
    finance: must(await selectUserByEmail(home, demoEmails.finance), 'finance of the demo'),
    support: must(await selectUserByEmail(home, demoEmails.support), 'support of the demo'),
  }
  const now = clock.now(scope)
  const claims = await claimForCounter(parts, scope, beginOfHistory(now))
  return db.transaction(async (tx) => {
    const existing = await findMainAccount(tx, scope, 'SLE')
    if (existing !== undefined) return showId(accountIds, existing)
    beginBooks(tx, scope.spaceId)
    // Without the simulator, no payment could have been completed.
    const isActive = parts.connectors.isActive('m17', 'test')
    const at = isActive ? beginOfHistory(now) : now
    const postings: Posting[] = []
    for (const [currency, amount] of Object.entries(funded)) {
      const main = await mainAccount(tx, scope, currency, at)
      const funding = await systemAccount(tx, scope, 'funding', currency, at)
      const movements = [
        { accountId: funding, amount: -amount },
        { accountId: main, amount },
      ]
      postings.push({ scope, reference: newReference(at), at, owners: [], movements })
    }
    await applyLedgerWork(tx, { postings })
    if (isActive) await writeHistory(tx, parts, { scope, users, claims, now })
    return showId(accountIds, await mainAccount(tx, scope, 'SLE', at))
  })
}

const openSession = (parts: Parts, scope: Scope, name: string) =>
  parts.db.transaction(async (tx) => {
    const lineItems = [{ name: 'Country cloth', price: { currency: 'SLE', value: 15_000 }, quantity: 2 }]
    const body = { name, lineItems, duration: '7d' }
    return createSession(tx, parts, { scope, body, at: parts.clock.now(scope), idempotencyKey: null })
  })

/** Pays an order as a payer does, through the provider. The simulated phone approves the payment after half a second. */
async function payFirst(parts: Parts, scope: Scope): Promise<void> {
  const { id: sessionId } = await openSession(parts, scope, 'First order, already paid')
  await createPaying(parts)(scope, {
    sessionId,
    payer: { providerId: 'm17', type: 'momo', account: demoPhone },
    address: '127.0.0.1',
  })
}

/** Returns what a new user needs to get started. It contains each token once. */
export function greeting(
  { parts: { baseUrl, settings } }: App,
  { demo, checkoutUrl, signInUrl }: Prepared,
): string {
  const hasPhones = demo && settings.simulator === 'on'
  const places = [
    ['Start page', baseUrl],
    ...(checkoutUrl ? [['Pay', checkoutUrl]] : []),
    ...(signInUrl ? [['Sign in once', signInUrl]] : []),
    ...(hasPhones ? [['Phones', demo.simulatorUrl]] : []),
    ['API', `${baseUrl}/docs/reference/api`],
  ]
  const width = Math.max(...places.map(([name = '']) => name.length))
  const lines = [
    `Pesewa is ready at ${baseUrl}`,
    '',
    ...places.map(([name = '', address]) => `  ${name.padEnd(width)}  ${address}`),
    '',
  ]
  if (demo && !hasPhones)
    lines.push('The simulator is off: payments cannot be made in the test environment.', '')
  if (demo)
    lines.push(
      'Create your own checkout:',
      `  curl -s ${baseUrl}/v1/checkout-sessions -H 'Authorization: Bearer ${demo.testToken}' \\`,
      `    -H 'Service-Space-Id: ${demo.spaceId}' -H "Idempotency-Key: $(date +%s%N)" -H 'Content-Type: application/json' \\`,
      `    -d '{"name":"Order 42","lineItems":[{"name":"Country cloth","price":{"currency":"SLE","value":15000}}]}'`,
      `Tokens are in ${path.join(settings.dataDir, 'demo.json')}. Press Ctrl-C to stop.`,
    )
  return `${lines.join('\n').trimEnd()}\n`
}
