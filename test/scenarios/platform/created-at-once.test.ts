import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { showId } from '../../../packages/server/src/platform/ids.ts'
import { findDialledCodes } from '../../../packages/server/src/ways-to-pay/payment-codes/payment-codes.ts'
import { codeIds } from '../../../packages/server/src/ways-to-pay/payment-codes/resources.ts'
import { type Merchant, startTestApp } from '../../support/harness.ts'

// Objects of several Spaces that are created in one batch.

const t = await startTestApp({ work: false })
after(() => t.close())

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
