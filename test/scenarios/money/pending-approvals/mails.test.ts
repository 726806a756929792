import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { setLimit } from '../../../../packages/server/src/money/approvals/limits.ts'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { type Merchant, startTestApp, until } from '../../../support/harness.ts'
import { fund } from '../../../support/money.ts'
import { startMailbox } from '../../../support/smtp.ts'
import { openShop } from '../refunds/shop.ts'

const mailbox = await startMailbox()
const settings = { SMTP_URL: mailbox.url, LOG_LEVEL: 'fatal' }
const t = await startTestApp({ settings })
const other = await startTestApp({ anotherNodeOf: t, settings })
after(async () => {
  await other.close()
  await t.close()
  await mailbox.close()
})
const { db } = t.app.parts

/** A Space in which every payout and refund needs approval, with its owner and some more members. */
async function shop({ roles = ['finance'] } = {}) {
  const owner = await t.merchant({ name: 'Country Cloth Shop' })
  const { scope } = owner
  await db.transaction((tx) => setLimit(tx, scope, 'payout', 'SLE', 0n))
  await fund(t.app.parts, scope, 100_000)
  const members: Merchant[] = []
  for (const role of roles) members.push(await t.merchant({ sameSpaceAs: owner, role }))
  return { owner, scope, members, emails: await Promise.all(members.map(emailOf)) }
}

const emailOf = async ({ userId }: Merchant) =>
  (await db.only<{ email: string }>(sql`select email from users where id = ${userId}`)).email

async function payOut({ call }: Merchant, note = 'Rent for November', value = 1_500): Promise<string> {
  const destination = { type: 'momo', providerId: 'm17', phoneNumber: '076123456' }
  const body = { amount: { currency: 'SLE', value }, destination, metadata: { note } }
  return (await call('POST', '/v1/payouts', body)).body.result.id
}

type Space = Pick<Merchant, 'scope'>
const jobsOf = ({ scope: { spaceId } }: Space) =>
  db.query<{ job: string; attempts: number; isDue: boolean }>(sql`
    select job, attempts, taken_by is not null or due_at <= now() as is_due from jobs
    where space_id = ${spaceId} and job like 'approvals.%'`)
const makeDue = ({ scope: { spaceId } }: Space, job: string) =>
  db.query(
    sql`update jobs set due_at = now() where space_id = ${spaceId} and job = ${job} and taken_by is null`,
  )

/** Waits until no announcement is due and no mail is waiting. Returns the mails that have arrived, by recipient. */
async function settled(space: Space) {
  await until(async () => (await jobsOf(space)).every(({ job, isDue }) => job !== 'approvals.mail' && !isDue))
  return mailbox.received.splice(0).map(readMail).toSorted(byRecipient)
}

/** Lets the next announcement begin, as if the time until then had passed, and returns its mails. */
async function announced(space: Space) {
  await makeDue(space, 'approvals.announce')
  return settled(space)
}

/** Returns the paths of the links in a mail. Which node has written the mail decides their port. */
const linksIn = (text: string) =>
  (text.match(/https?:\S+/g) ?? []).map((link) => link.replace(/^http:\/\/[^/]+/, ''))

const byRecipient = (one: { to: string }, two: { to: string }) => one.to.localeCompare(two.to)
const recipients = (mails: { to: string }[]) => mails.map(({ to }) => to)

const decodeWord = (word: string) =>
  word.replace(/=\?utf-8\?([qb])\?(.*?)\?=\s*/gi, (_, how: string, text: string) =>
    how.toLowerCase() === 'b' ? Buffer.from(text, 'base64').toString() : unquote(text.replaceAll('_', ' ')),
  )
const unquote = (text: string) =>
  text
    .replace(/=\n/g, '')
    .replace(/(?:=[0-9A-F]{2})+/g, (bytes) => Buffer.from(bytes.replaceAll('=', ''), 'hex').toString())

function readMail({ to, data }: { to: string[]; data: string }) {
  const [head = '', ...rest] = data.split('\n\n')
  const headers = head.replace(/\n[ \t]+/g, ' ').split('\n')
  const headerOf = (name: string) =>
    headers.find((header) => header.toLowerCase().startsWith(`${name}: `))?.split(/: (.*)/s)[1] ?? ''
  const body = rest.join('\n\n')
  const isBase64 = headerOf('content-transfer-encoding') === 'base64'
  return {
    to: to.join(),
    names: headers.map((header) => header.split(':')[0]!.toLowerCase()),
    type: headerOf('content-type'),
    subject: decodeWord(headerOf('subject')),
    text: isBase64 ? Buffer.from(body, 'base64').toString() : unquote(body),
  }
}

test('the members who may approve a payout are mailed, but neither its creator nor anyone else', async () => {
  const roles = ['admin', 'finance', 'developer', 'support', 'viewer']
  const { owner, emails } = await shop({ roles })
  await shop({ roles: ['admin'] })
  const id = await payOut(owner)
  const mails = await announced(owner)
  assert.deepEqual(recipients(mails), emails.slice(0, 2).toSorted())
  const [{ subject, text, type }] = mails as [ReturnType<typeof readMail>]
  assert.equal(subject, '[Test] Approval needed: Le 15.00 (Country Cloth Shop)')
  assert.match(text, /^Payout: Le 15\.00$/m)
  assert.match(text, /^Payee: \+23276\*\*\*\*56$/m)
  assert.match(text, new RegExp(`^Requested by: ${await emailOf(owner)}$`, 'm'))
  assert.match(text, /^Reason: Rent for November$/m)
  assert.deepEqual(linksIn(text), [`/console/${owner.spaceId}/test/payouts/${id}`])
  assert.match(type, /^text\/plain/)
  assert.equal(text.includes(owner.token), false)
})

test('what is created within ten minutes is announced in one mail that counts it, and never again', async () => {
  const { owner, members, emails } = await shop()
  await payOut(owner, 'one')
  assert.equal((await announced(owner)).length, 1)
  for (const note of ['two', 'three']) await payOut(owner, note)
  assert.deepEqual(await settled(owner), [], 'the next announcement waits')
  const [mail, ...others] = await announced(owner)
  assert.deepEqual([mail!.to, others], [emails[0], []])
  assert.match(mail!.subject, /^\[Test\] 3 approvals needed/)
  for (const note of ['one', 'two', 'three']) assert.match(mail!.text, new RegExp(`^Reason: ${note}$`, 'm'))
  assert.equal(linksIn(mail!.text).at(-1), `/console/${owner.spaceId}/test/approvals`)
  assert.deepEqual(await announced(owner), [])
  assert.deepEqual(await jobsOf(owner), [])
  // The owner is mailed only about what somebody else has created.
  await payOut(members[0]!, 'four')
  const [ofOwner, ...more] = await announced(owner)
  assert.deepEqual([ofOwner!.to, more], [await emailOf(owner), []])
  assert.match(ofOwner!.subject, /Approval needed/)
})

test('batches and proposed refunds are announced, too', async () => {
  const { owner, members, emails } = await shop({ roles: ['finance', 'support'] })
  const rows = ['076123456', '076123457'].map((phoneNumber) => ({
    amount: { currency: 'SLE', value: 1_000 },
    destination: { type: 'momo', providerId: 'm17', phoneNumber },
  }))
  const batch = (await owner.call('POST', '/v1/payout-batches', { name: 'Salaries', rows })).body.result
  const [mail] = await announced(owner)
  assert.equal(mail!.to, emails[0])
  assert.match(mail!.text, /^Batch of payouts: Le 20\.00\nPayee: 2 payees\n/m)
  assert.match(mail!.text, /^Reason: Salaries$/m)
  assert.ok(mail!.text.includes(`/payout-batches/${batch.id}`))
  // The simulated rail follows the real time here, so the shop's clock for it has no effect.
  const { pay, refund } = await openShop(t, createManualClock(), owner)
  const paid = await pay(2_000)
  const proposed = (await refund(paid.id, 500, { note: 'Torn' }, members[1])).body.result
  const ofRefund = (await announced(owner)).find(({ to }) => to === emails[0])
  const lines = [
    'Refund: Le 5.00',
    `Payee: payer of order ${paid.orderNumber}, +23276****56`,
    `Requested by: ${emails[1]}`,
    'Reason: Requested by the payer, Torn',
    `/refunds/${proposed.id}`,
  ]
  for (const line of lines) assert.ok(ofRefund!.text.includes(line), line)
})

test('an announcement that a node had made before it died is not made again', async () => {
  const { owner, scope } = await shop()
  await payOut(owner)
  assert.equal((await announced(owner)).length, 1)
  const deadNode = 2_000_000_000
  const news = { ...scope, [`payouts:approve ${owner.userId}`]: true }
  const runAgain = async () => {
    await db.query(sql`
      insert into jobs (space_id, environment, job, payload, timing, due_at, key, taken_by)
      values (${scope.spaceId}, ${scope.environment}, 'approvals.announce', ${JSON.stringify(news)}, 'real_time', now(),
        'approvals.announce', ${deadNode})`)
    await until(
      async () => (await db.query(sql`select 1 from jobs where taken_by = ${deadNode}`)).length === 0,
    )
    return settled(owner)
  }
  assert.deepEqual(await runAgain(), [])
  // If the node had died before it committed, the announcement would still have to be made.
  await announced(owner)
  assert.equal((await runAgain()).length, 1)
})

test('what a node was about to announce when it died is announced with what is new since', async () => {
  const { owner, scope, members, emails } = await shop()
  const [finance] = members as [Merchant]
  await payOut(owner, 'one')
  const deadNode = 2_000_000_001
  await db.query(sql`
    update jobs set taken_by = ${deadNode}
    where space_id = ${scope.spaceId} and job = 'approvals.announce' and taken_by is null`)
  await payOut(finance, 'two')
  await until(async () => (await db.query(sql`select 1 from jobs where taken_by = ${deadNode}`)).length === 0)
  assert.deepEqual(recipients(await announced(owner)), [emails[0], await emailOf(owner)].toSorted())
})

test('while the mail server refuses a mail, it is sent again with what can still be decided, for a day', async () => {
  const { owner, members, emails } = await shop()
  const [email] = emails as [string]
  mailbox.answers.set(email, '451 try again later')
  const refused = async () => {
    await makeDue(owner, 'approvals.announce')
    return until(async () => {
      const [waiting] = (await jobsOf(owner)).filter(({ job }) => job === 'approvals.mail')
      return waiting && waiting.attempts > 0 && waiting
    })
  }
  const [first] = [await payOut(owner, 'one'), await payOut(owner, 'two')]
  await refused()
  assert.equal((await members[0]!.call('POST', `/v1/payouts/${first}/approve`, {})).status, 200)
  mailbox.answers.delete(email)
  await makeDue(owner, 'approvals.mail')
  const [mail, ...others] = await settled(owner)
  assert.deepEqual([mail!.to, others], [email, []])
  assert.match(mail!.text, /^Reason: two$/m)
  assert.doesNotMatch(mail!.text, /^Reason: one$/m)

  mailbox.answers.set(email, '451 try again later')
  await payOut(owner, 'three')
  await refused()
  mailbox.answers.delete(email)
  await db.query(sql`
    update jobs set payload = payload || '{"until": 0}', due_at = now()
    where space_id = ${owner.scope.spaceId} and job = 'approvals.mail'`)
  assert.deepEqual(await settled(owner), [])
})

test('a hostile name or reason adds no header, no second part and no line to a mail', async () => {
  const hostile = 'Rent\r\nBcc: thief@evil.example\r\n\r\n<script>alert(1)</script>\u202e'
  const { owner, emails } = await shop()
  await db.query(sql`update spaces set name = ${hostile} where id = ${owner.scope.spaceId}`)
  await payOut(owner, `${hostile}${'x'.repeat(5_000)}`)
  const [mail, ...others] = await announced(owner)
  assert.deepEqual([mail!.to, others], [emails[0], []])
  assert.equal(mail!.names.includes('bcc'), false)
  assert.equal(mail!.names.filter((name) => name === 'content-type').length, 1)
  assert.match(mail!.type, /^text\/plain/)
  assert.doesNotMatch(mail!.text, /^Bcc|^<script>|\u202e/m)
  assert.match(mail!.text, /^Reason: Rent Bcc: thief@evil\.example <script>.{0,200}…$/m)
})

test('in a French-speaking country, the mail is in French', async () => {
  const { owner } = await shop()
  await db.query(sql`update spaces set country = 'SN' where id = ${owner.scope.spaceId}`)
  await payOut(owner, 'Loyer')
  const [mail] = await announced(owner)
  assert.equal(mail!.subject, '[Test] À approuver\u00a0: 15,00 Le (Country Cloth Shop)')
  assert.match(mail!.text, /^Motif\u00a0: Loyer$/m)
})

test('a member who has left and a suspended Space get no mail', async () => {
  const { owner, members, emails } = await shop({ roles: ['finance', 'admin'] })
  mailbox.answers.set(emails[0]!, '451 try again later')
  await payOut(owner)
  await makeDue(owner, 'approvals.announce')
  await until(async () => (await jobsOf(owner)).some(({ attempts }) => attempts > 0))
  await db.query(sql`delete from members where user_id = ${members[0]!.userId}`)
  mailbox.answers.delete(emails[0]!)
  await makeDue(owner, 'approvals.mail')
  assert.deepEqual(recipients(await settled(owner)), [emails[1]])
  await payOut(owner)
  await db.query(sql`
    update spaces set suspended_at = now(), suspended_by = 'x', suspension_reason = 'x'
    where id = ${owner.scope.spaceId}`)
  assert.deepEqual(await announced(owner), [])
})

test('without a mail server, nothing is mailed and nothing is left to do', async () => {
  const quiet = await startTestApp()
  try {
    const owner = await quiet.merchant()
    const { spaceId } = owner.scope
    await quiet.app.parts.db.transaction((tx) => setLimit(tx, owner.scope, 'payout', 'SLE', 0n))
    await fund(quiet.app.parts, owner.scope, 10_000)
    await quiet.merchant({ sameSpaceAs: owner, role: 'finance' })
    await payOut(owner)
    const jobs = () =>
      quiet.app.parts.db.query(sql`select 1 from jobs where space_id = ${spaceId} and job like 'approvals.%'`)
    assert.equal((await jobs()).length, 1)
    await quiet.app.parts.db.query(sql`update jobs set due_at = now() where space_id = ${spaceId}`)
    await until(async () => (await jobs()).length === 0)
    assert.equal(mailbox.received.length, 0)
  } finally {
    await quiet.close()
  }
})
