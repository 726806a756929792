import assert from 'node:assert/strict'
import type { ApiRoute, Route } from '../../packages/server/src/platform/http/commands/route.ts'
import { validatorOf } from '../../packages/server/src/platform/http/shapes/validation.ts'
import { refusalCatalogue } from '../../packages/server/src/platform/refusals.ts'

/**
 * Checks every response that a test receives against the schema of its route, so that the API reference cannot
 * drift from the real responses: no field may be missing, and no unknown field may appear.
 */
export function createAnswerCheck(routes: Route[]) {
  const known = routes
    .filter((route): route is ApiRoute => route.kind !== 'raw')
    .map((route) => ({
      route,
      pattern: new RegExp(`^${route.url.replace(/:\w+/g, '[^/]+')}$`),
    }))

  return (method: string, path: string, status: number, body: unknown) => {
    if (status !== 200) return checkError(status, body)
    const pathname = path.split('?', 1)[0]!
    const found = known.find(({ route, pattern }) => route.method === method && pattern.test(pathname))
    if (!found) return
    const validator = validatorOf(found.route.result)
    // biome-ignore lint/suspicious/noExplicitAny: JSON from the wire; the next lines check it
    const { success, messages, result, pagination, ...rest } = body as Record<string, any>
    assert.deepEqual([success, messages, Object.keys(rest)], [true, [], []])
    const isList = found.route.kind === 'list'
    for (const entry of isList ? result : [result]) {
      const errors: unknown[] = validator.Errors(entry)
      assert.deepEqual(errors, [], `the response to ${method} ${path} does not match its schema`)
    }
    if (!isList) return
    assert.equal(pagination.count, result.length)
    assert.ok(pagination.next === null || typeof pagination.next === 'string')
  }
}

function checkError(status: number, body: unknown): void {
  // biome-ignore lint/suspicious/noExplicitAny: JSON from the wire; the next lines check it
  const { success, messages, error } = body as any
  assert.equal(success, false)
  assert.ok(Array.isArray(messages))
  assert.equal(error.code, status)
  assert.equal(refusalCatalogue[error.reason as keyof typeof refusalCatalogue]?.[0], status)
  for (const { param, errors } of error.details) {
    assert.equal(typeof param, 'string')
    assert.ok(errors.length > 0)
  }
}
