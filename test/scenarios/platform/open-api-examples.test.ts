import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { eventTypes } from '../../../packages/server/src/events/types.ts'
import type { ApiRoute } from '../../../packages/server/src/platform/http/commands/route.ts'
import { querySchema } from '../../../packages/server/src/platform/http/lists/lists.ts'
import { showId } from '../../../packages/server/src/platform/ids.ts'
import { userIds } from '../../../packages/server/src/tenants/spaces/resources.ts'
import { type Entry, entriesOf, openStock, type Shape } from '../../support/examples.ts'
import { type Answer, type Merchant, startTestApp } from '../../support/harness.ts'
import {
  assertDocumented,
  createDocumentCheck,
  createShapeCheck,
  differences,
  type OpenApi,
  type Operation,
  operationIn,
  type Parameter,
} from '../../support/open-api.ts'

const rail = createManualClock()
// A webhook's first delivery fails immediately.
const t = await startTestApp({
  app: { simulatorClock: rail },
  settings: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32' },
})
after(() => t.close())
const document = (await (await fetch(`${t.baseUrl}/openapi.json`)).json()) as OpenApi
const check = createDocumentCheck(document)
const errorsOf = createShapeCheck(document)

const operationOf = (route: ApiRoute) => operationIn(document, route)

const entries = await entriesOf(t)
const merchant = await t.merchant({ isOperator: true })
const stock = await openStock(t, merchant, entries, { turn: () => rail.advance(300) }).fill()

/** Returns the query parameters of an operation. */
const parametersOf = ({ parameters = [] }: Operation) => parameters.filter((one) => one.in === 'query')

/** Returns the URL of a path, filled in with the examples of its parameters. */
async function addressOf(path: string, parameters: Parameter[]): Promise<string> {
  const examples = Object.fromEntries(parameters.map(({ name, example }) => [name, String(example)]))
  return `${path}?${new URLSearchParams(await stock.withIds(examples))}`
}

/** Operations for sessions only; see sign-in/own-sign-ins.test.ts. */
const ofSessions = ['DELETE /v1/sessions/:session']

/** Sorts operations that end things, run in the background or make others wait last. */
const last = ['POST /v1/installation/statements', 'PATCH /v1/settings']
const inOrder = (some: Entry[]) => {
  const rank = ({ route, name }: Entry) => 2 * last.indexOf(name) + Number(route.method === 'DELETE')
  return some.toSorted((one, other) => rank(one) - rank(other))
}

/** Returns paths to which an example can be sent: of an object that was just created, or of an existing one. */
async function placesFor(route: ApiRoute): Promise<string[]> {
  const { url, idKind } = route
  if (!url.includes(':')) return [url]
  if (!idKind) return [stock.pathOf(route)]
  const [list = ''] = url.split('/:')
  const maker = entries.find(({ name }) => name === `POST ${list}`)
  const made = maker && (await stock.post(list, maker.route.example!).catch(() => undefined))
  const ids = [...(made ? [made.id] : []), ...stock.ids(idKind.prefix).toReversed()]
  return ids.map((id) => url.replace(':id', id))
}

/** Adds another member of the Space, who approves, and is approved. */
let colleague: Merchant
const memberPath = ({ userId }: Merchant) => `/v1/members/${showId(userIds, userId)}`

/** Requires another member's approval for all outgoing money, so that new objects wait. */
async function waitForApproval(): Promise<void> {
  colleague = await t.merchant({ sameSpaceAs: merchant, isOperator: true })
  const above = [{ currency: 'SLE', value: 0 }]
  const settings = { payoutApprovalAbove: above, refundApprovalAbove: above, reason: 'for a test' }
  assert.equal((await merchant.call('PATCH', '/v1/settings', settings)).status, 200)
}

/** Whether only some objects have a field, such as those of one account type or one kind of entry. */
const optional = (name: string) =>
  /^(?:phoneNumber|accountNumber|walletId|scheme|last4|publicKey|callbackState|asksForCode|availableAfter)$/.test(
    name,
  )

/**
 * Returns the fields that differ but should not. The items of a payment link are as they were sent, and omitted
 * ones may appear.
 */
const unlike = (example: unknown, real: unknown) =>
  differences(example, real, optional).filter((fault) => !/\.lineItems\[\]\./.test(fault))

/** Asserts that a response has the fields of the document’s example. */
function assertLikeExample(route: ApiRoute, { status, body }: Answer): void {
  const { schema, example } = operationOf(route).responses[200]!.content!['application/json']!
  assert.deepEqual(errorsOf(schema, example), [], JSON.stringify(example))
  // The data of an event or an exported record depends on its type; that of events is checked there.
  const issues = unlike(example, body).filter(
    (fault) => !/^\.result(?:\[\])?(?:\.records\[\])?\.data\./.test(fault),
  )
  if (status === 200) assert.deepEqual(issues, [], JSON.stringify(body))
}

describe('events match the document’s webhooks', () => {
  test('each event type has an entry, with an example of its shape', () => {
    assert.deepEqual(Object.keys(document.webhooks), eventTypes())
    for (const [type, { post }] of Object.entries(document.webhooks)) {
      const { schema, example } = post.requestBody!.content!['application/json']!
      assert.deepEqual(errorsOf(schema, example), [], type)
      assert.deepEqual(
        post.parameters!.map(({ $ref }) => document.components.parameters[$ref!.split('/').at(-1)!]!.name),
        ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
      )
    }
  })

  test('each event has the shape of its type', () => {
    const events = stock.objects('/v1/events') as { type: string }[]
    assert.ok(new Set(events.map(({ type }) => type)).size > 10)
    for (const event of events) {
      const { schema, example } =
        document.webhooks[event.type]!.post.requestBody!.content!['application/json']!
      assert.deepEqual(errorsOf(schema, event), [], JSON.stringify(event))
      assert.deepEqual(unlike(example, event), [], event.type)
    }
  })
})

describe('an example from the document works when sent', () => {
  for (const { route, name } of entries.filter(({ route: { kind } }) => kind === 'read' || kind === 'list'))
    test(name, async () => {
      const path = stock.pathOf(route)
      const { required = [] } = querySchema(route) as Shape
      const queries = parametersOf(operationOf(route))
      const needed = queries.filter(({ name }) => required.includes(name))
      const answer = await merchant.call('GET', await addressOf(path, needed))
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      assertLikeExample(route, answer)
      for (const query of queries.filter(({ name }) => name !== 'after')) {
        // The end time must be after the start time.
        const beside = queries.filter(
          (each) => needed.includes(each) || (query.name === 'to' && each.name === 'from'),
        )
        const requestUrl = await addressOf(path, [...new Set([...beside, query])])
        const { status, body } = await merchant.call('GET', requestUrl)
        assert.equal(status, 200, `${requestUrl}: ${JSON.stringify(body)}`)
      }
    })

  before(waitForApproval)

  const writing = entries.filter(({ route: { kind } }) => kind === 'command' || kind === 'change')
  for (const entry of inOrder(writing.filter(({ name }) => !ofSessions.includes(name))))
    test(entry.name, async () => {
      const { route, name, examples } = entry
      const isDecision = /\/(?:approve|reject)$/.test(route.url)
      const apart = examples.inSeparateSpace?.includes(name)
        ? await t.merchant({ isOperator: true })
        : undefined
      const caller = apart ?? (isDecision ? colleague : merchant)
      const example = operationOf(route).requestBody?.content?.['application/json']?.example
      assert.equal(Boolean(route.body), example !== undefined, `${name} has no example body`)
      const isOfMember = route.url.startsWith('/v1/members/')
      const places = isOfMember ? [memberPath(colleague)] : await placesFor(route)
      let answer: Answer | undefined
      for (const path of places) {
        answer = await caller.call(route.method, path, example && (await stock.withIds(example)))
        assertDocumented(check, route, answer)
        if (answer.status === 200) break
      }
      // If no object is in the required state, the call is refused as the operation documents.
      const isMet = examples.withoutSuitableObject?.includes(name) && !isDecision ? [200, 404, 409] : [200]
      assert.ok(answer && isMet.includes(answer.status), JSON.stringify([answer?.body, places]))
      assertLikeExample(route, answer)
    })

  test('examples that only our pages send match their schemas', () => {
    for (const [path, { post }] of Object.entries(document.paths))
      for (const content of [post?.requestBody?.content, post?.responses[200]?.content]) {
        const { schema, example } = content?.['application/json'] ?? {}
        if (schema) assert.deepEqual(errorsOf(schema, example), [], path)
      }
  })
})
