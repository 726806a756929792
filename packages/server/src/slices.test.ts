import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startTestApp } from '../../../test/support/harness.ts'
import { allResources, registerResources } from './platform/resources.ts'
import { calendar, jobsOf } from './slices.ts'
import { permissions, readAndWrite, registerPermissions } from './tenants/spaces/permissions.ts'

const t = await startTestApp({ work: false })
after(() => t.close())

test('id prefixes have three letters and are unique, except for resources that represent each other', () => {
  const kinds = new Set(allResources().map(({ ids }) => ids))
  const prefixes = [...kinds].map(({ prefix }) => prefix)
  assert.equal(new Set(prefixes).size, prefixes.length)
  for (const prefix of prefixes) assert.match(prefix, /^[a-z]{3}$/)
})

test('every permission that a route requires belongs to a slice', () => {
  const required = t.app.routes.flatMap((route) =>
    route.kind === 'raw' ? [] : [route.permission, route.maskedFor, route.proposedWith],
  )
  for (const permission of required) if (permission) assert.ok(permissions().includes(permission), permission)
})

test('every calendar entry is a job', async () => {
  const jobs = await jobsOf(t.app.parts, new AbortController().signal)
  for (const job of Object.values(calendar)) assert.ok(jobs[job], job)
})

test('no two routes share a method and URL', () => {
  const addresses = t.app.routes.flatMap(({ method, url }) => [method].flat().map((one) => `${one} ${url}`))
  assert.equal(new Set(addresses).size, addresses.length)
})

test('no two slices define the same resource or permission', () => {
  assert.throws(() => registerResources(allResources().slice(0, 1)), /two slices define the resource/)
  assert.throws(
    () => registerPermissions(readAndWrite('payments')),
    /two slices have the permission payments:read/,
  )
})
