import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { verifyBooks } from '../../../../packages/server/src/finance/books/verify.ts'
import { encryptedTables } from '../../../../packages/server/src/operations/data-keys/encrypted-tables.ts'
import {
  describeKeys,
  rewrapKeys,
  rotateKeys,
  turnOnEncryption,
} from '../../../../packages/server/src/operations/data-keys/keys.ts'
import { reencrypt } from '../../../../packages/server/src/operations/data-keys/reencryption.ts'
import { openDatabase } from '../../../../packages/server/src/platform/db/database.ts'
import { type Sql, sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { describedTables } from '../../../../packages/server/src/platform/db/table.ts'
import { encryptedColumn } from '../../../../packages/server/src/platform/db/unnest.ts'
import type { MasterKeys } from '../../../../packages/server/src/platform/encryption/key-changes.ts'
import { masterKeysOf } from '../../../../packages/server/src/platform/encryption/master-key.ts'
import { keysChannel, openKeyring } from '../../../../packages/server/src/platform/encryption/open-keyring.ts'
import { findChecks } from '../../../../packages/server/src/slices.ts'
import { createHandset } from '../../../support/handset.ts'
import { type Merchant, sharedSecret, startTestApp, until } from '../../../support/harness.ts'
import { fund } from '../../../support/money.ts'
import { createPayer } from '../../../support/payer.ts'
import { searchTables } from '../../../support/planted.ts'

const clock = createManualClock()
const t = await startTestApp({ app: { simulatorClock: clock } })
const folder = mkdtempSync(path.join(tmpdir(), 'pesewa-keys-'))
after(async () => {
  await t.close()
  rmSync(folder, { recursive: true })
})
const { db, seals } = t.app.parts
const masters = masterKeysOf({}, () => sharedSecret)
const decider = { by: 'Aminata', reason: 'a test' }

/** Turns encryption off, as in an installation that existed before, and waits until the node knows. */
async function turnOff() {
  await db.transaction(async (tx) => {
    await tx.run(sql`update encryption set is_on = false, version = version + 1`)
    tx.wake(keysChannel)
  })
  await until(() => !db.encryption!.isOn())
}

const verified = async () =>
  (await verifyBooks(db, findChecks, { seals })).checks.filter(({ differences }) => differences.length > 0)

const amount = { currency: 'SLE', value: 1_000 }
const name = 'Plantedname Kamara'
const numbers = Array.from({ length: 8 }, (_, i) => `76300${i}56`)
const [paying, paidOut, inBatch, onCode, dialled, later] = numbers.map((number) => `+232${number}`)

async function post(merchant: Merchant, url: string, body: object) {
  const answer = await merchant.call('POST', url, body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body.result
}

async function pay(merchant: Merchant, phone: string) {
  const lineItems = [{ name: 'Cloth', price: { currency: 'SLE', value: 100_000 } }]
  const session = await post(merchant, '/v1/checkout-sessions', { name: 'Order', lineItems })
  assert.equal((await createPayer(session.redirectUrl).pay('m17', { phone })).status, 303)
  return until(async () => {
    await clock.advance(300)
    const { result } = (await merchant.call('GET', `/v1/payments?orderNumber=${session.orderNumber}`)).body
    return result[0]?.status === 'completed' && result[0]
  })
}

const columns = encryptedTables.flatMap(({ name, columns }) =>
  columns.map((column) => `${name}.${column.name}`),
)
const foundPlain = async () => {
  const found = await searchTables(db.pool, [...numbers, 'Plantedname', 'Kamara'])
  return [...found.keys()].filter((column) => columns.includes(column) || /phone_number$/.test(column))
}
const generations = async () =>
  (
    await db.query<{ generation: number }>(sql`
      -- every space: the test has one
      select distinct get_byte(payer_account_encrypted, 1) * 256 + get_byte(payer_account_encrypted, 2) as generation
      from payments where payer_account_encrypted is not null order by 1`)
  ).map(({ generation }) => generation)

describe('an installation that existed before', () => {
  let merchant: Merchant
  let payment: { id: string }

  const works = async () => {
    for (const [url, phone, count] of [
      ['/v1/payments', paying, 1],
      ['/v1/payouts', paidOut, 1],
      ['/v1/refunds', paying, 1],
    ] as const)
      for (const query of [
        `phoneNumber=${encodeURIComponent(`${phone}`)}`,
        `q=${encodeURIComponent(`${phone}`)}`,
      ])
        assert.equal(
          (await merchant.call('GET', `${url}?${query}`)).body.result.length,
          count,
          `${url}?${query}`,
        )
    const { result } = (await merchant.call('GET', '/v1/payouts')).body
    assert.ok(
      result.some(
        ({ destination }: { destination: { phoneNumber: string } }) => destination.phoneNumber === paidOut,
      ),
    )
    const otps = (await merchant.call('GET', '/v1/ussd-otps')).body.result
    assert.equal(otps[0].authorizedPhoneNumber, dialled)
    const hits = (await merchant.call('GET', '/v1/search?q=plantedname')).body.result
    assert.ok(hits.length > 0, 'a name is found by one of its words')
  }

  before(async () => {
    await turnOff()
    merchant = await t.merchant()
    await fund(t.app.parts, merchant.scope, 1_000_000)
    payment = await pay(merchant, paying!)
    await post(merchant, '/v1/refunds', { paymentId: payment.id, amount, reason: 'requested_by_customer' })
    const momo = (phoneNumber = '') => ({ type: 'momo', providerId: 'm17', phoneNumber })
    await post(merchant, '/v1/payouts', { amount, destination: momo(paidOut) })
    await post(merchant, '/v1/payout-batches', {
      name: 'Wages',
      rows: [{ amount, destination: momo(inBatch), name }],
    })
    await post(merchant, '/v1/payment-codes', { name: 'Fees', amount, authorizedPhoneNumber: onCode })
    await post(merchant, '/v1/payment-codes', { name: 'Fees', amount, customer: { name } })
    await post(merchant, '/v1/ussd-otps', { authorizedPhoneNumber: dialled })
    await createHandset(t, dialled).dial()
  })

  test('is not encrypted, and works', async () => {
    assert.ok((await foundPlain()).length > 8)
    await works()
    assert.deepEqual(await verified(), [])
  })

  test('cannot be encrypted while a node of an earlier release is running', async () => {
    await db.transaction((tx) => tx.run(sql`update nodes set decrypts = false where node = ${db.node}`))
    await assert.rejects(
      db.transaction((tx) => turnOnEncryption(tx, decider)),
      /earlier release/,
    )
    await db.transaction((tx) => tx.run(sql`update nodes set decrypts = true where node = ${db.node}`))
  })

  test('is encrypted by a job, while the books stay verified and every look-up keeps working', async () => {
    await db.transaction((tx) => turnOnEncryption(tx, decider))
    await until(() => db.encryption!.isOn())
    await works()
    assert.deepEqual(await verified(), [])
    await reencrypt(db, { settleMs: 0, chunkSize: 2 })
    assert.deepEqual(await foundPlain(), [])
    await works()
    await until(async () => (await verified()).length === 0)
    const { encryption, reencryption } = await describeKeys(db)
    assert.equal(encryption, 'on')
    assert.ok(reencryption?.endTime)
    // Releases that cannot decrypt no longer start.
    const { oldest } = await db.only<{ oldest: number }>(
      sql`select oldest_release as oldest from schema_migrations where version = 22`,
    )
    assert.equal(oldest, 22)
  })

  test('a one-time password that was issued before can be dialled, and new payments are encrypted', async () => {
    const otp = (await merchant.call('GET', '/v1/ussd-otps')).body.result[0]
    await createHandset(t, dialled).dial(otp.dialCode)
    const read = async () => (await merchant.call('GET', `/v1/ussd-otps/${otp.id}`)).body.result.status
    assert.equal(await read(), 'verified')
    await pay(merchant, later!)
    assert.deepEqual(await foundPlain(), [])
  })
})

describe('rotating the keys', () => {
  test('encrypts everything with the new key, and deletes the old one', async () => {
    assert.deepEqual(await generations(), [1])
    await rotateKeys(db, masters, decider)
    await assert.rejects(rotateKeys(db, masters, decider), /still being encrypted/)
    // A node that was paused may still write with the old key, so that is kept for a while.
    assert.ok((await reencrypt(db)) > 0)
    assert.ok((await describeKeys(db)).retiringKeys > 0)
    await until(async () => {
      await reencrypt(db, { settleMs: 0, chunkSize: 3 })
      return (await generations()).join() === '2'
    })
    const { keys, retiringKeys } = await describeKeys(db)
    assert.ok(keys > 0)
    assert.equal(retiringKeys, 0)
    const { rows } = await db.pool.query(
      `select distinct state, wrapped is null as gone from data_keys where purpose = 'data'`,
    )
    assert.deepEqual(rows.map(({ state, gone }) => `${state} ${gone}`).sort(), [
      'active false',
      'retired true',
    ])
    await until(async () => (await verified()).length === 0)
  })
})

describe('a new master key', () => {
  const file = path.join(folder, 'master-key')
  writeFileSync(file, 'a master key that is at least 32 characters long')
  const withFile: MasterKeys = masterKeysOf({ masterKeyFile: file }, () => sharedSecret)
  const reads = async (keys: MasterKeys) => {
    const other = openDatabase(t.database.connection, {
      ...{ maxConnections: 1, onIdleError: () => {} },
      encryption: openKeyring(t.database.connection, keys),
    })
    try {
      const rows = await other.query<{ payerAccount: string }>(sql`
        -- every space: the test has one
        select ${encryptedColumn('payments.payer_account')} from payments order by id`)
      return rows.map(({ payerAccount }) => payerAccount)
    } finally {
      await other.close()
    }
  }

  test('wraps all keys again, and nothing else is needed to decrypt', async () => {
    assert.deepEqual(await reads(masters), [paying, later])
    const { masterKey } = await rewrapKeys(db, withFile, decider)
    assert.equal(masterKey, 'file')
    assert.deepEqual(await reads(masterKeysOf({ masterKeyFile: file }, () => 'another secret')), [
      paying,
      later,
    ])
  })

  test('that is not available is an error that says what to do', async () => {
    await assert.rejects(reads(masterKeysOf({}, () => sharedSecret)), /MASTER_KEY_FILE.*pesewa keys rewrap/)
    await rewrapKeys(db, [...masters, ...withFile] as unknown as MasterKeys, decider)
  })
})

describe('tampering with encrypted numbers', () => {
  /** Verifies the books with a change, which is then undone. */
  const findsChange = async (change: Sql, undo: Sql) => {
    await db.transaction((tx) => tx.run(change))
    const found = await verified()
    await db.transaction((tx) => tx.run(undo))
    return found.map(({ name }) => name).join('; ')
  }
  const keep = sql`create table kept as select id, payer_account, payer_account_encrypted from payments`

  before(() => db.transaction((tx) => tx.run(keep)))
  after(() => db.pool.query('drop table kept'))
  const undo = sql`
    -- every space: the test has one
    update payments set payer_account = kept.payer_account, payer_account_encrypted = kept.payer_account_encrypted
    from kept where kept.id = payments.id`

  test('an encrypted number of another row of the Space is found', async () => {
    const change = sql`
      -- every space: the test has one
      update payments set payer_account_encrypted = (select payer_account_encrypted from kept order by id desc limit 1)`
    assert.match(
      await findsChange(change, undo),
      /every payer account in payments can be decrypted and has its hash/,
    )
  })

  test('a number that replaces an encrypted one is found', async () => {
    const change = sql`
      -- every space: the test has one
      update payments set payer_account = '+23276999999', payer_account_encrypted = null`
    const found = await findsChange(change, undo)
    assert.match(found, /every payment matches its sealed terms/)
    assert.match(found, /every payer account in payments can be decrypted/)
  })

  test('the books are verified again afterwards', async () => {
    assert.deepEqual(await verified(), [])
  })
})

test('the job knows every encrypted column', () => {
  const described = [...describedTables].flatMap(([table, { columns }]) =>
    [...columns.keys()]
      .filter((name) => name.endsWith('_encrypted'))
      .map((name) => `${table}.${name.replace('_encrypted', '')}`),
  )
  assert.deepEqual(columns.filter((column) => !column.startsWith('bill_payments.')).sort(), described.sort())
})
