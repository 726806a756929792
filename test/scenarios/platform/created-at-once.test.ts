import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { isEither } from '../../../packages/server/src/platform/db/encryption.ts'
import { sql } from '../../../packages/server/src/platform/db/sql.ts'
import { createCommand } from '../../../packages/server/src/platform/http/commands/command.ts'
import { fingerprintOf } from '../../../packages/server/src/platform/http/commands/idempotency.ts'
import type { Call, CommandRoute } from '../../../packages/server/src/platform/http/commands/route.ts'
import { newId, showId } from '../../../packages/server/src/platform/ids.ts'
import { installationScope } from '../../../packages/server/src/tenants/spaces/chained-changes.ts'
import { findDialledCodes } from '../../../packages/server/src/ways-to-pay/payment-codes/payment-codes.ts'
import { codeIds } from '../../../packages/server/src/ways-to-pay/payment-codes/resources.ts'
import { claimAddresses } from '../../../packages/server/src/ways-to-pay/payment-links/address-store.ts'
import { deriveAddress } from '../../../packages/server/src/ways-to-pay/payment-links/addresses.ts'
import { otpIds } from '../../../packages/server/src/ways-to-pay/ussd/resources.ts'
import { type Merchant, startTestApp } from '../../support/harness.ts'

// Objects of several Spaces that are created in one batch.

const t = await startTestApp({ work: false })
after(() => t.close())

const inAMinute = new Date(Date.now() + 60_000).toISOString()

type Kind = {
  path: string
  /** A valid body. The bodies of all numbers differ. */
  body(i: number): object
  invalid: object
  issue: { param: string; errors: string[] }
  /** The type of the event that contains the new object, if there is one. */
  event?: string
}

const kinds: Record<string, Kind> = {
  'financial accounts': {
    path: '/v1/financial-accounts',
    body: (i) => ({
      name: `Rent ${i}`,
      currency: 'SLE',
      reference: `rent-${i}`,
      metadata: { flat: String(i) },
    }),
    invalid: { name: 'Rent', currency: 'XXX' },
    issue: { param: 'currency', errors: ['is not a supported currency'] },
  },
  'payment codes': {
    path: '/v1/payment-codes',
    body: (i) => ({
      name: `Fees ${i}`,
      amount: { currency: 'SLE', value: 1 + i },
      metadata: { class: `${i}` },
    }),
    invalid: { name: 'Fees', authorizedProviders: ['m17', 'm17'] },
    issue: { param: 'authorizedProviders[1]', errors: ['is listed twice'] },
    event: 'payment_code.created',
  },
  'one-time passwords': {
    path: '/v1/ussd-otps',
    body: (i) => ({ authorizedPhoneNumber: `+232761000${10 + i}`, metadata: { user: `${i}` } }),
    invalid: { authorizedPhoneNumber: '076' },
    issue: { param: 'authorizedPhoneNumber', errors: ['must be a phone number'] },
    event: 'ussd_otp.created',
  },
  'payment links': {
    path: '/v1/payment-links',
    body: (i) => ({
      name: `Concert ${i}`,
      lineItems: [{ name: 'Ticket', price: { currency: 'SLE', value: 1 + i } }],
      expireTime: inAMinute,
    }),
    invalid: { name: 'Concert', openAmount: { currency: 'SLE' }, quantity: { maximum: 2 } },
    issue: { param: 'quantity', errors: ['can only be used with lineItems'] },
    event: 'payment_link.created',
  },
}

/** Returns the number of batches of the command, and of calls in them. */
async function batches(command: string): Promise<{ count: number; calls: number }> {
  const { values } = await t.app.parts.metrics.batchSizes.get()
  const of = (name: string) =>
    values.find(
      ({ metricName, labels }) => metricName === `pesewa_batch_size_${name}` && labels.command === command,
    )?.value ?? 0
  return { count: of('count'), calls: of('sum') }
}

for (const [name, { path, body, invalid, issue, event }] of Object.entries(kinds))
  describe(name, () => {
    const create = (as: Merchant, wanted: object, key: string = randomUUID()) =>
      as.call('POST', path, wanted, { 'idempotency-key': key })

    test('of several Spaces are created together, and an invalid request does not affect the others', async () => {
      const merchants = await Promise.all(Array.from({ length: 3 }, () => t.merchant()))
      // The Spaces have no main account before the first round.
      for (let round = 0; round < 3; round++) {
        const before = await batches(path)
        const wanted = merchants.flatMap((merchant) =>
          Array.from({ length: 5 }, (_, i) => ({ merchant, body: body(10 * round + i) })),
        )
        const [refused, ...answers] = await Promise.all([
          create(merchants[1]!, invalid),
          ...wanted.map((one) => create(one.merchant, one.body)),
        ])
        const now = await batches(path)
        assert.equal(now.calls - before.calls, wanted.length + 1)
        assert.ok(now.count - before.count < wanted.length)
        assert.deepEqual([refused!.status, refused!.body.error.details], [400, [issue]])
        for (const [i, { status, body: answer }] of answers.entries()) {
          const { merchant, body: given } = wanted[i]!
          assert.equal(status, 200)
          assert.deepEqual({ ...answer.result, ...given }, answer.result)
          const read = await merchant.call('GET', `${path}/${answer.result.id}`)
          assert.deepEqual(read.body.result, answer.result)
        }
      }
      for (const merchant of merchants) {
        const { result } = (await merchant.call('GET', `${path}?limit=50`)).body
        assert.equal(result.length, 15)
        if (!event) continue
        const created = (await t.events(merchant.scope)).filter(({ type }) => type === event)
        const byId = (objects: object[]) => objects.map((one) => JSON.stringify(one)).sort()
        assert.deepEqual(byId(created.map(({ data }) => data)), byId(result))
      }
      await t.verify()
    })

    test('with one key are created once, and the key returns the same response later', async () => {
      const [merchant, stranger] = [await t.merchant(), await t.merchant()]
      const key = randomUUID()
      const once = async () => {
        const [own, ...answers] = await Promise.all([
          create(stranger, body(0), key),
          ...Array.from({ length: 8 }, () => create(merchant, body(0), key)),
          create(merchant, body(1)),
        ])
        const other = answers.pop()!
        assert.equal(other.status, 200)
        const ids = new Set(answers.map(({ body }) => body.result.id))
        assert.equal(ids.size, 1)
        assert.ok(!ids.has(own!.body.result.id) && !ids.has(other.body.result.id))
        assert.equal(new Set(answers.map(({ body }) => JSON.stringify(body))).size, 1)
        return answers
      }
      const isReplay = ({ headers }: { headers: Headers }) =>
        headers.get('service-idempotent-replay') !== null
      const first = await once()
      assert.equal(first.filter(isReplay).length, first.length - 1)
      const later = await create(merchant, body(0), key)
      assert.ok(isReplay(later))
      assert.deepEqual(later.body, first[0]!.body)
      const [conflict, fresh] = await Promise.all([create(merchant, body(2), key), create(merchant, body(3))])
      assert.deepEqual([conflict.status, conflict.body.error.reason], [409, 'idempotency_key_in_use'])
      assert.equal(fresh.status, 200)
      await t.verify()
    })
  })

test('of accounts that are opened together with one reference, only one is opened, and the other keys stay free', async () => {
  const [merchant, stranger] = [await t.merchant(), await t.merchant()]
  const open = (as: Merchant, reference: string, key: string) =>
    as.call(
      'POST',
      '/v1/financial-accounts',
      { name: 'Rent', currency: 'SLE', reference },
      { 'idempotency-key': key },
    )
  for (let round = 0; round < 3; round++) {
    const taken = `taken ${round}`
    const keys = Array.from({ length: 4 }, () => randomUUID())
    const [elsewhere, other, ...answers] = await Promise.all([
      open(stranger, taken, randomUUID()),
      open(merchant, `other ${round}`, randomUUID()),
      ...keys.map((key) => open(merchant, taken, key)),
    ])
    assert.deepEqual([elsewhere!.status, other!.status], [200, 200])
    const refused = answers.filter(({ status }) => status === 409)
    assert.equal(refused.length, answers.length - 1)
    for (const { body } of refused)
      assert.deepEqual(
        [body.error.reason, body.error.details],
        ['reference_in_use', [{ param: 'reference', errors: ['is already used by another account'] }]],
      )
    const key = keys[answers.findIndex(({ status }) => status === 409)]!
    assert.equal((await open(merchant, `free ${round}`, key)).status, 200)
  }
  assert.equal((await merchant.call('GET', '/v1/financial-accounts')).body.result.length, 9)
  await t.verify()
})

test('codes whose numbers are taken get other numbers, and each number leads to its own code', async () => {
  const [merchant, stranger] = [await t.merchant(), await t.merchant()]
  const create = (as: Merchant) => as.call('POST', '/v1/payment-codes', { name: 'Fees' })
  const numberOf = ({ body }: { body: { result: { ussdCode: string } } }) => body.result.ussdCode.slice(5, -1)
  const first = await create(merchant)
  // The next numbers drawn for this Space are taken: the first two, and then one of those drawn together.
  await t.app.parts.db.pool.query(`
    create sequence drawn;
    create function draw_taken() returns trigger language plpgsql as $$ begin
      if new.space_id = '${merchant.scope.spaceId}' and nextval('drawn') in (1, 2, 5) then
        new.number := '${numberOf(first)}';
      end if;
      return new;
    end $$;
    create trigger draw_taken before insert on payment_code_numbers for each row execute function draw_taken()`)
  const codes = [first, await create(merchant)]
  codes.push(...(await Promise.all([merchant, stranger, merchant, merchant].map(create))))
  await t.app.parts.db.pool.query('drop trigger draw_taken on payment_code_numbers')
  const numbers = codes.map(numberOf)
  assert.equal(new Set(numbers).size, codes.length)
  const found = await findDialledCodes(t.app.parts.db, 'test', numbers)
  for (const [i, { body }] of codes.entries())
    assert.equal(showId(codeIds, found.get(numbers[i]!)!.code.id), body.result.id)
  await t.verify()
})

test('a link whose address is taken gets another one, and the other links of the batch keep theirs', async () => {
  const [merchant, stranger] = [await t.merchant(), await t.merchant()]
  const { db, home, seals } = t.app.parts
  const keys = Array.from({ length: 4 }, () => randomUUID())
  const addresses = keys.map((idempotencyKey) =>
    deriveAddress(seals, { scope: merchant.scope, idempotencyKey }),
  )
  const [taken] = addresses
  await home.transaction((tx) =>
    claimAddresses(tx, [{ scope: stranger.scope, id: newId(new Date()), text: taken! }]),
  )
  const body = { name: 'Concert', openAmount: { currency: 'SLE' } }
  const links = await Promise.all(
    keys.map((key) => merchant.call('POST', '/v1/payment-links', body, { 'idempotency-key': key })),
  )
  assert.deepEqual(new Set(links.map(({ status }) => status)), new Set([200]))
  const given = await db.query<{ idempotencyKey: string; address: string }>(sql`
    select idempotency_key, address from payment_links where space_id = ${merchant.scope.spaceId}`)
  for (const [i, key] of keys.entries()) {
    const { address } = given.find(({ idempotencyKey }) => idempotencyKey === key)!
    assert.equal(address === addresses[i], i > 0)
  }
  await db.pool.query('delete from payment_link_addresses where address = $1', [taken])
  await t.verify()
})

describe('one-time passwords that are created at the same time for one phone', () => {
  const path = '/v1/ussd-otps'
  const run = createCommand(
    t.app.parts,
    t.app.routes.find((one): one is CommandRoute => one.kind === 'command' && one.url === path)!,
  )

  /** Calls in one turn of the event loop form one batch. */
  const create = ({ scope }: Merchant, authorizedPhoneNumber: string) => {
    const key = randomUUID()
    const call = { scope, body: { authorizedPhoneNumber }, now: t.app.parts.clock.now(scope) } as Call
    return run({ key, fingerprint: fingerprintOf('POST', path, call.body), call }).then(
      ({ text }): string => JSON.parse(text).result.dialCode,
    )
  }
  const digitsOf = (dialCode: string) => dialCode.slice(5, -1)
  const otpsOf = async (merchant: Merchant) => (await merchant.call('GET', path)).body.result

  test('are limited to a hundred in each Space, and other phones are not affected', async () => {
    const [merchant, stranger] = [await t.merchant(), await t.merchant()]
    const phone = '+23276100100'
    const createEach = (count: number) => Array.from({ length: count }, () => create(merchant, phone))
    const open = await Promise.all(createEach(95))
    const others = [create(stranger, phone), create(merchant, '+23276100101')]
    const outcomes = await Promise.allSettled(createEach(8))
    const [elsewhere] = await Promise.all(others)
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? outcome.reason : []))
    assert.equal(refused.length, 3)
    for (const { reason, message } of refused) {
      assert.equal(reason, 'state_conflict')
      assert.match(message, /already has 100 active OTPs/)
    }
    const made = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []))
    assert.equal(new Set([...open, ...made, elsewhere]).size, 101)
    // Once one of them ends, there is room for another.
    const [newest] = await otpsOf(merchant)
    await merchant.call('DELETE', `${path}/${newest.id}`)
    const again = await Promise.allSettled(createEach(2))
    assert.deepEqual(again.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  })

  test('get digits that no other active one has, and may get those of an ended one', async () => {
    const merchant = await t.merchant()
    const phone = '+23276100102'
    const [active, ended] = [await create(merchant, phone), await create(merchant, phone)]
    const [newest] = await otpsOf(merchant)
    await merchant.call('DELETE', `${path}/${newest.id}`)
    const { db } = t.app.parts
    // The first digits drawn are taken, and then those drawn by two of the OTPs of the batch.
    await db.pool.query(`
      create sequence drawn_digits;
      create function draw_digits() returns trigger language plpgsql as $$
      declare turn bigint := nextval('drawn_digits');
      begin
        if turn <= 3 then new.number := '${digitsOf(active)}'; end if;
        if turn = 4 then new.number := '${digitsOf(ended)}'; end if;
        return new;
      end $$;
      create trigger draw_digits before insert on ussd_otp_numbers for each row execute function draw_digits()`)
    const created = await Promise.all(Array.from({ length: 4 }, () => create(merchant, phone)))
    await db.pool.query('drop trigger draw_digits on ussd_otp_numbers')
    assert.equal(new Set([active, ...created]).size, 5)
    const numbers = await db.query<{ number: string; isOpen: boolean; otpId: string }>(sql`
      select number, is_open, otp_id from ussd_otp_numbers
      where phone_number = ${isEither(installationScope('test'), phone)}`)
    const ids = await otpsOf(merchant)
    assert.equal(numbers.length, 5)
    for (const { isOpen, otpId } of numbers) {
      assert.ok(isOpen)
      assert.equal(ids.find(({ id }: { id: string }) => id === showId(otpIds, otpId)).status, 'pending')
    }
  })
})
