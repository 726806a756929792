import assert from 'node:assert/strict'
import type { Database } from '../../packages/server/src/platform/db/database.ts'
import type { Scope } from '../../packages/server/src/platform/scope.ts'
import type { Merchant } from './harness.ts'

// Helpers that read lists page by page and insert rows directly.

export type Row = Record<string, unknown>

/** Returns the public ids of all entries that match a query, page by page. */
export async function idsOf(
  merchant: Merchant,
  url: string,
  query: string[] = [],
  limit = 3,
): Promise<string[]> {
  const ids: string[] = []
  for (let next: string | null = ''; next !== null; ) {
    const { status, body } = await merchant.call(
      'GET',
      `${url}?${[...query, `limit=${limit}`, `after=${next}`].join('&')}`,
    )
    assert.equal(status, 200, `${url}?${query.join('&')}: ${JSON.stringify(body)}`)
    ids.push(...body.result.map(({ id }: { id: string }) => id))
    next = body.pagination.next
  }
  return ids
}

export async function invalidParamsOf(merchant: Merchant, path: string): Promise<string[]> {
  const { status, body } = await merchant.call('GET', path)
  assert.equal(status, 400, path)
  return body.error.details.map(({ param }: { param: string }) => param)
}

/** Returns a parameter in URL-encoded form. */
export const param = (name: string, value: unknown) => `${name}=${encodeURIComponent(String(value))}`

/** Inserts rows into a table without any checks. */
export async function insertRows(
  { pool }: Database,
  table: string,
  scope: Scope,
  rows: Row[],
): Promise<void> {
  for (const row of rows) {
    const all: Row = { space_id: scope.spaceId, environment: scope.environment, ...row }
    const [names, values] = [Object.keys(all), Object.values(all)]
    const places = names.map((_, i) => `$${i + 1}`)
    await pool.query(`insert into ${table} (${names.map((name) => `"${name}"`)}) values (${places})`, values)
  }
}
