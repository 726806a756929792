import type { ManualClock } from '@pesewa/connector-kit/simulator'
import { selectUnsealed } from '../../../../packages/server/src/finance/books/sealed-store.ts'
import { Sql, sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { createHandset } from '../../../support/handset.ts'
import { type Merchant, type TestApp, until } from '../../../support/harness.ts'
import { fund } from '../../../support/money.ts'
import { createPayer } from '../../../support/payer.ts'
import { openShop, type Shown } from '../../money/refunds/shop.ts'
import { openFrom } from '../../ways-to-pay/payment-links/visitor.ts'

const price = (value: number) => ({ currency: 'SLE', value })

/** A customer of a shop, with a name and a reference that nobody else has. */
export type Customer = { phone: string; name: string; typed: string }

/** Returns the customer with this number of six digits. The last three must have no special meaning in the simulator. */
export const customer = (digits: string): Customer => ({
  phone: `+23276${digits}`,
  name: `Planted Name ${digits}`,
  typed: `Planted Reference ${digits}`,
})

/** Opens a funded shop, whose customers leave personal data in every way that the service offers. */
export async function openShopWithCustomers(t: TestApp, rail: ManualClock, of?: Merchant) {
  const shop = await openShop(t, rail, of)
  const { merchant } = shop
  await fund(t.app.parts, merchant.scope, 1_000_000)
  const post = async (path: string, body: object): Promise<Shown> => {
    const { status, body: answer } = await merchant.call('POST', path, body)
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(answer)}`)
    return answer.result
  }
  const get = async (path: string): Promise<Shown> => (await merchant.call('GET', path)).body.result
  const ends = (path: string, statuses: string[]) =>
    until(async () => {
      await rail.advance(300)
      const found = await get(path)
      return statuses.includes(found.status) && found
    })

  /** The customer pays, is refunded in full, is paid, dials a code and verifies the phone. */
  async function visit({ phone, name, typed }: Customer) {
    const national = `0${phone.slice(4)}`
    const payment = await shop.pay(1_000, 'm17', national)
    const refund = await post('/v1/refunds', {
      ...{ paymentId: payment.id, reason: 'requested_by_customer' },
      ...{ note: `for ${name}`, payerMessage: `Sorry, ${name}` },
    })
    await shop.ended(refund.id)
    const destination = { type: 'momo', providerId: 'm17', phoneNumber: phone }
    const payout = await post('/v1/payouts', { amount: price(500), destination })
    await ends(`/v1/payouts/${payout.id}`, ['completed'])
    const batch = await post('/v1/payout-batches', {
      name: 'Salaries',
      rows: [{ amount: price(300), destination, name }],
    })
    await ends(`/v1/payout-batches/${batch.id}`, ['completed'])
    const code = await post('/v1/payment-codes', {
      ...{ name: 'School fees', amount: price(700), customer: { name }, authorizedPhoneNumber: phone },
    })
    const handset = createHandset(t, phone)
    await handset.dial(code.ussdCode)
    await handset.enter('1')
    await ends(`/v1/payment-codes/${code.id}`, ['completed'])
    const otp = await post('/v1/ussd-otps', {
      authorizedPhoneNumber: phone,
      verificationMessage: `Hello ${name}`,
    })
    await handset.dial(otp.dialCode)
    const link = await post('/v1/payment-links', {
      ...{ name: 'Donation', payerReference: { label: 'Your name' } },
      ...{ lineItems: [{ name: 'Gift', price: price(900) }] },
    })
    const payer = createPayer(await openFrom(link.url, { reference: typed }))
    await payer.pay('m17', national)
    await until(async () => {
      await rail.advance(300)
      return (await get(`/v1/checkout-sessions?paymentLinkId=${link.id}`))[0]?.status === 'completed'
    })
    return { payment, refund, payout, batch, code, otp, link }
  }

  return {
    ...shop,
    post,
    visit,
    /** Waits until an erasure has this status. */
    erasureBecomes: (id: string, status: string): Promise<Shown> =>
      until(async () => {
        const erasure = await get(`/v1/personal-data-erasures/${id}`)
        return erasure.status === status && erasure
      }),
    read: get,
  }
}

/** Returns the tables whose rows contain one of these texts, as plain text, without a leading `+`, or as bytes. */
export async function tablesWith(t: TestApp, texts: string[]): Promise<string[]> {
  const { db } = t.app.parts
  const tables = await db.query<{ name: string }>(sql`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by relname`)
  const forms = texts.flatMap((text) => [
    text,
    Buffer.from(text).toString('hex'),
    Buffer.from(text).toString('base64').replace(/=+$/, ''),
  ])
  const found: string[] = []
  for (const { name } of tables) {
    const [row] = await db.query(sql`
      select 1 from ${new Sql(name, [])} found
      where exists (select from unnest(${forms}::text[]) form (text) where position(form.text in found::text) > 0) limit 1`)
    if (row) found.push(name)
  }
  return found
}

/** Returns encrypted columns in which rows that have been erased still contain a value, last digits or hashed words. */
export async function leftovers(t: TestApp): Promise<string[]> {
  const { db } = t.app.parts
  const columns = await db.query<{ table: string; name: string; parts: string[] }>(sql`
    select stored.table_name as table, stored.column_name as name, array_agg(part.column_name::text) as parts
    from information_schema.columns stored
    join information_schema.columns part on part.table_schema = 'public' and part.table_name = stored.table_name
      and part.column_name in (stored.column_name || '_encrypted', stored.column_name || '_last', stored.column_name || '_words')
    where stored.table_schema = 'public' group by 1, 2`)
  const found: string[] = []
  for (const { table, name, parts } of columns) {
    const [row] = await db.query(
      new Sql(
        `select 1 from ${table} where coalesce(${name}, '') = '' and num_nonnulls(${parts.join(', ')}) > 0 limit 1`,
        [],
      ),
    )
    if (row) found.push(`${table}.${name}`)
  }
  return found
}

const sealedTables = {
  payment: 'payments',
  payout: 'payouts',
  payout_batch: 'payout_batches',
  refund: 'refunds',
  checkout_session: 'checkout_sessions',
  payment_code: 'payment_codes',
  ussd_otp: 'ussd_otps',
}

/** Waits until the books' chain contains every change of a Space. */
export const chained = ({ app }: TestApp, { scope }: Merchant): Promise<true> =>
  until(async () => {
    const { db } = app.parts
    for (const [type, table] of Object.entries(sealedTables)) {
      const { rows } = await db.pool.query<{ id: string }>(
        `select id from ${table} where space_id = $1 and environment = $2`,
        [scope.spaceId, scope.environment],
      )
      const ids = rows.map(({ id }) => id)
      if ((await selectUnsealed(db, scope, type, ids)).size > 0) return false
    }
    return true
  })
