import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeApi } from '../../packages/server/src/app.ts'
import { type DescribedField, fieldsOf, unexplained } from './descriptions.ts'

type Operations = Record<string, Record<string, { summary?: string; description?: string }>>
type Document = { tags: { name: string; description?: string }[]; paths: Operations; webhooks: Operations }

// `test/scenarios` compares the document with the service.
const document: Document = JSON.parse(JSON.stringify(await describeApi()))
const fields = fieldsOf(document)

const none = (fields: DescribedField[], what: string) =>
  assert.deepEqual(
    fields.map(({ at, description }) => `${at} ${what}: ${description ?? ''}`),
    [],
  )

test('every field of the API has a description', () => {
  assert.ok(fields.length > 1_500, `${fields.length} fields`)
  none(
    fields.filter(({ description }) => !description),
    'has no description',
  )
})

test('the description of a field with a short enumeration explains each value', () => {
  none(
    fields.filter((field) => unexplained(field).length > 0),
    'does not explain its values',
  )
})

test('a value that is missing from a description is found', () => {
  const field = { at: 'status', name: 'status', description: '`open`: it waits.', values: ['open', 'closed'] }
  assert.deepEqual(unexplained(field), ['closed'])
})

test('every group of operations, every operation and every event has a description', () => {
  for (const { name, description } of document.tags) assert.ok(description, `the tag ${name}`)
  const operations = [document.paths, document.webhooks].flatMap((paths) =>
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
    ),
  )
  for (const { method, path, operation } of operations)
    assert.ok(operation.summary && operation.description, `${method} ${path}`)
})
