import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { readId } from '../../../../packages/server/src/platform/ids.ts'
import { tokenIds } from '../../../../packages/server/src/tenants/spaces/resources.ts'
import { type Merchant, startTestApp, until } from '../../../support/harness.ts'
import { startMailbox } from '../../../support/smtp.ts'

const mailbox = await startMailbox()
const settings = { SMTP_URL: mailbox.url }
const t = await startTestApp({ settings })
const other = await startTestApp({ anotherNodeOf: t, settings })
after(async () => {
  await other.close()
  await t.close()
  await mailbox.close()
})
const { db } = t.app.parts

/** Creates a token with this lifetime that expires in this many days, and returns its id. */
async function expiring(merchant: Merchant, days: number, duration = '90d'): Promise<string> {
  const { body } = await merchant.call('POST', '/v1/access-tokens', {
    name: `in ${days} days`,
    scopes: ['payments:read'],
    duration,
  })
  await expireIn(body.result.id, days)
  return body.result.id
}

/** Moves a token's creation and expiry back so that it expires in this many days. */
const expireIn = (id: string, days: number) =>
  db.transaction((tx) =>
    tx.run(sql`
      update tokens set
        created_at = created_at - (expires_at - (now() + ${days} * interval '1 day')),
        expires_at = now() + ${days} * interval '1 day'
      where id = ${readId(tokenIds, id) ?? null}`),
  )

const emailOf = async ({ userId }: Merchant) =>
  (await db.only<{ email: string }>(sql`select email from users where id = ${userId}`)).email

const noSpace = '00000000-0000-0000-0000-000000000000'
const warn = sql`
  insert into jobs (space_id, environment, job, payload, timing, due_at)
  values (${noSpace}, 'live', 'tokens.warn-of-expiry', '{}', 'real_time', now())`

type WarningMail = { to: string; subject: string; isOf: string | undefined }
const textOf = (data: string) => data.replace(/=\n/g, '').replace(/=3D/g, '=')

/** Returns the mails that several concurrent runs on two nodes send. */
async function mailed(runs: number): Promise<WarningMail[]> {
  mailbox.received.length = 0
  await Promise.all(Array.from({ length: runs }, () => db.transaction((tx) => tx.query(warn))))
  await until(async () => {
    const waiting = await db.query(sql`
      select 1 from jobs where job = 'mail.send' or (job = 'tokens.warn-of-expiry' and key is null)`)
    return waiting.length === 0
  })
  return mailbox.received
    .map(({ to, data }) => {
      const [, subject = ''] = /^Subject: (.*)$/m.exec(data) ?? []
      return { to: to.join(), subject, isOf: /access token "([^"]*)"/.exec(textOf(data))?.[1] }
    })
    .toSorted((a, b) => a.to.localeCompare(b.to))
}

test('14 and 3 days before a token expires, its user and the owners of its Space are mailed once each', async () => {
  const shop = await t.merchant()
  const developer = await t.merchant({ sameSpaceAs: shop, role: 'developer' })
  const admin = await t.merchant({ sameSpaceAs: shop, role: 'admin' })
  const stranger = await t.merchant()
  const id = await expiring(developer, 13.9)
  await expiring(developer, 14.1)
  const [owners, own] = [await emailOf(shop), await emailOf(developer)]
  const both = (days: number, name: string) =>
    [owners, own]
      .toSorted((a, b) => a.localeCompare(b))
      .map((to) => ({ to, subject: `An access token expires in ${days} days`, isOf: name }))
  assert.deepEqual(await mailed(5), both(14, 'in 13.9 days'))
  const [{ data = '' } = {}] = mailbox.received
  const text = textOf(data)
  assert.ok(text.includes(`/console/${shop.spaceId}/test/access-tokens`), text)
  assert.deepEqual(await mailed(5), [])
  await expireIn(id, 3.1)
  assert.deepEqual(await mailed(3), [])
  await expireIn(id, 2.9)
  assert.deepEqual(await mailed(5), both(3, 'in 13.9 days'))
  assert.deepEqual(await mailed(2), [])
  assert.ok(admin && stranger)
})

test('no mail is sent for tokens that are revoked, rolled, expired, unlimited, or shorter-lived than the notice', async () => {
  const shop = await t.merchant()
  const [revoked, rolled] = [await expiring(shop, 5), await expiring(shop, 5)]
  await shop.call('DELETE', `/v1/access-tokens/${revoked}`)
  await shop.call('POST', `/v1/access-tokens/${rolled}/roll`, { overlap: '7d' })
  await expiring(shop, -0.1)
  await expiring(shop, 1, '3d')
  await expiring(shop, 10, '14d')
  await shop.call('POST', '/v1/access-tokens', { name: 'ever', scopes: ['payments:read'], duration: 'never' })
  assert.deepEqual(await mailed(2), [])
  await expiring(shop, 2.5, '14d')
  assert.deepEqual(await mailed(2), [
    { to: await emailOf(shop), subject: 'An access token expires in 3 days', isOf: 'in 2.5 days' },
  ])
})

test('one mail is sent for each token, even for more tokens than fit into one transaction', async () => {
  const shop = await t.merchant()
  await db.transaction((tx) =>
    tx.run(sql`
      insert into tokens (id, user_id, environment, name, hash, scopes, expires_at, created_at)
      select gen_random_uuid(), ${shop.userId}, 'test', 'many', sha256(n::text::bytea), '{*}',
        now() + interval '10 days', now() - interval '10 days' from generate_series(1, 250) n`),
  )
  const mails = await mailed(4)
  assert.deepEqual([mails.length, new Set(mails.map(({ to }) => to)).size], [250, 1])
})
