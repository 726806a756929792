import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { fieldsOf, must } from '@pesewa/values'
import { htmlToText } from '../../../../packages/docs/src/html.ts'
import { anchorOf } from '../../../../packages/docs/src/markdown.ts'
import type {
  OpenApiOperation,
  OpenApiParameter,
  OpenApiSchema,
} from '../../../../packages/docs/src/reference/open-api.ts'
import { openReference } from '../../../../packages/docs/src/reference/reference.ts'
import { sessionTags } from '../../../../packages/docs/src/reference/sdk-methods.ts'
import { Pesewa } from '../../../../packages/sdk/src/index.ts'
import { isApiRoute } from '../../../../packages/server/src/reference.ts'
import { startTestApp } from '../../../support/harness.ts'

const t = await startTestApp({ work: false })
after(() => t.close())

type Components = { schemas: Record<string, OpenApiSchema>; parameters: Record<string, OpenApiParameter> }
type Document = {
  paths: Record<string, Record<string, OpenApiOperation>>
  webhooks: Record<string, Record<string, OpenApiOperation>>
  components: Components
}
const get = async (path: string) => (await fetch(t.baseUrl + path)).text()
const document: Document = JSON.parse(await get('/openapi.json'))
const tagOf = (path: string) => (path === '/' ? 'status' : must(path.split('/')[2], 'tag'))
const pages = new Map<string, string>()
for (const path of Object.keys(document.paths)) {
  const tag = tagOf(path)
  if (!pages.has(tag)) pages.set(tag, await get(`/docs/reference/api/${tag}`))
}

/** Returns the section of a call. */
function sectionOf(method: string, path: string): string {
  const page = must(pages.get(tagOf(path)), 'page')
  const sections = page.split('<section class="call"')
  return must(
    sections.find((section) => section.includes(`<h2 id="${anchorOf(`${method} ${path}`)}"`)),
    `section of ${method} ${path}`,
  )
}

/**
 * Returns the names of all fields in a schema, including nested ones, but not those of objects that a response
 * only names.
 */
function namesIn(schema: OpenApiSchema | undefined, seen: string[] = []): string[] {
  if (!schema) return []
  const component = schema.$ref?.split('/').at(-1)
  if (component)
    return seen.includes(component)
      ? []
      : namesIn(document.components.schemas[component], [...seen, component])
  // Allows only null, because the field belongs to another variant.
  const isNull = (field: OpenApiSchema) => [field.type].flat().join() === 'null'
  const own = Object.entries(schema.properties ?? {}).filter(([, field]) => !isNull(field))
  return [
    ...own.flatMap(([name, field]) => [name, ...namesIn(field, seen)]),
    ...[schema.items, ...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])].flatMap(
      (inner) => namesIn(inner, seen),
    ),
  ]
}

const shown = (html: string) =>
  new Set([...html.matchAll(/<code class="field">([^<]+)<\/code>/g)].map(([, name]) => name))

const calls = Object.entries(document.paths).flatMap(([path, operations]) =>
  Object.entries(operations).map(([method, operation]) => ({
    method: method.toUpperCase(),
    path,
    operation,
  })),
)

describe('the API reference', () => {
  test('has every call of the route table, with its permission, in its contents and on the page of its resource', async () => {
    const contents = await get('/docs/reference/api')
    for (const { method, url, summary, permission } of t.app.routes.filter(isApiRoute)) {
      const path = url.replace(/:(\w+)/g, '{$1}')
      assert.ok(
        contents.includes(`href="/docs/reference/api/${tagOf(path)}#${anchorOf(`${method} ${url}`)}"`),
        `${method} ${url}`,
      )
      const section = htmlToText(sectionOf(method, path))
      assert.ok(section.includes(summary) && section.includes(`${method} ${path}`), `${method} ${url}`)
      if (permission) assert.ok(section.includes(permission), `${method} ${url}`)
    }
  })

  test('has every parameter and field that a call accepts, with its description', () => {
    const missing: string[] = []
    for (const { method, path, operation } of calls) {
      const section = sectionOf(method, path)
      const fields = shown(section)
      const body =
        operation.requestBody && 'content' in operation.requestBody
          ? operation.requestBody.content
          : undefined
      for (const name of namesIn(body?.['application/json']?.schema))
        if (!fields.has(name)) missing.push(`${method} ${path}: ${name}`)
      for (const parameter of operation.parameters ?? []) {
        const named =
          '$ref' in parameter
            ? must(
                document.components.parameters[must(parameter.$ref.split('/').at(-1), 'name')],
                'parameter',
              )
            : parameter
        if (!section.includes(`>${named.name}</code>`)) missing.push(`${method} ${path}: ${named.name}`)
        const description =
          'schema' in parameter ? (parameter.description ?? parameter.schema?.description) : undefined
        const words = description?.split(/[`<&'"[*]/, 1)[0]?.trim()
        if (words && !section.includes(words)) missing.push(`${method} ${path}: ${named.name}, ${words}`)
      }
    }
    assert.deepEqual(missing, [])
  })

  test('has every field that calls return', () => {
    const missing: string[] = []
    for (const { method, path, operation } of calls) {
      const response = operation.responses?.['200']
      const schema =
        response && 'content' in response ? Object.values(response.content ?? {})[0]?.schema : undefined
      const result = schema?.properties?.result ?? schema
      const fields = shown(must(pages.get(tagOf(path)), 'page'))
      for (const name of namesIn(result)) if (!fields.has(name)) missing.push(`${method} ${path}: ${name}`)
    }
    assert.deepEqual(missing, [])
  })

  test('has samples of every call, with existing SDK methods', () => {
    const client: unknown = new Pesewa({ token: 'psw_test_a', baseUrl: t.baseUrl })
    for (const { method, path, operation } of calls) {
      const section = sectionOf(method, path)
      const titles = [...section.matchAll(/<p class="kind">([^<]*)<\/p>/g)].map(([, title]) => title)
      const isForPeople =
        sessionTags.includes(tagOf(path)) || (operation.security?.length === 0 && method !== 'GET')
      const isStream = path.endsWith('/stream')
      const expected = [
        'curl',
        ...(path === '/' ? [] : ['TypeScript']),
        ...(isStream ? [] : ['PHP', 'Python']),
      ]
      assert.deepEqual(titles, isForPeople ? ['curl'] : expected, `${method} ${path}`)
      if (!titles.includes('TypeScript')) continue
      const [, called = ''] = /pesewa\.([\w.]+)\(/.exec(htmlToText(section)) ?? []
      const found = called.split('.').reduce((value: unknown, name) => fieldsOf(value)[name], client)
      assert.equal(typeof found, 'function', `${method} ${path}: pesewa.${called}`)
    }
  })

  test('has an example of the response of every call', () => {
    for (const { method, path } of calls)
      assert.match(
        sectionOf(method, path),
        /<p class="caption">Response<\/p>\n<div class="code">/,
        `${method} ${path}`,
      )
  })

  test('has titles that say what a call does, in a few words', () => {
    const verbs =
      /^(?:Accept|Approve|Ask|Assign|Cancel|Change|Check|Close|Confirm|Count|Create|Delete|Download|Email|End|Finish|Import|Lift|List|Match|Pause|Place|Preview|Record|Redeem|Redeliver|Refund|Refuse|Register|Reject|Remove|Rename|Reopen|Request|Resend|Resolve|Resume|Retrieve|Reverse|Roll|Rotate|Search|Send|Set|Sign|Start|Step|Stream|Submit|Suspend|Test|Update|Revoke|Withdraw|Advance)\b/
    const wrong = calls
      .map(({ operation }) => operation.summary ?? '')
      .filter((summary) => !verbs.test(summary) || /[;:,.]/.test(summary) || summary.length > 55)
    assert.deepEqual(wrong, [])
    assert.match(sectionOf('POST', '/v1/refunds'), />Create a refund<\/a><\/h2>/)
  })

  test('shows JSON types', () => {
    const types = [...pages.values()].flatMap((page) =>
      [...page.matchAll(/<span class="type">([^<]+)<\/span>/g)].map(([, type]) => type!),
    )
    assert.ok(types.length > 1_000)
    const form = /^(?:string|integer|number|boolean|object|array|any)\b/
    assert.deepEqual(
      types.filter((type) => !form.test(type)),
      [],
    )
  })

  test('begins with the core resources and ends with the calls of operators, in a section of their own', async () => {
    const contents = await get('/docs/reference/api')
    const order = [...contents.matchAll(/<h3><a href="\/docs\/reference\/api\/([^"]+)">/g)].map(
      ([, tag]) => tag,
    )
    assert.deepEqual(order.slice(0, 11), [
      'checkout-sessions',
      'payments',
      'refunds',
      'payouts',
      'payment-codes',
      'payment-links',
      'ussd-otps',
      'internal-transfers',
      'financial-accounts',
      'webhooks',
      'events',
    ])
    assert.equal(order.at(-1), 'installation')
    assert.match(
      contents,
      /<p class="group">For operators<\/p>\s*<section class="resource">\s*<h3><a href="[^"]*\/installation">/,
    )
  })

  test('has a page of webhook events with every event type', async () => {
    const page = await get('/docs/reference/payloads')
    for (const name of Object.keys(document.webhooks)) assert.ok(page.includes(`<code>${name}</code>`), name)
    assert.ok(Object.keys(document.webhooks).length > 20)
  })

  test('is linked to by the anchors of docs/reference/api.md', () => {
    const addresses = openReference({ document, canSend: true })
    assert.equal(addresses.addressOfAnchor('post-v1payouts'), '/docs/reference/api/payouts#post-v1payouts')
    assert.equal(addresses.addressOfAnchor('payouts'), '/docs/reference/api/payouts')
    assert.equal(addresses.addressOfAnchor('payout'), '/docs/reference/api/payouts#payout')
    // Cases return one, too.
    assert.equal(addresses.addressOfAnchor('refund'), '/docs/reference/api/refunds#refund')
    assert.equal(addresses.addressOfAnchor('nothing'), undefined)
  })
})
