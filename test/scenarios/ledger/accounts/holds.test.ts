import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { setFee } from '../../../../packages/server/src/money/fees/fees.ts'
import { startTestApp, until } from '../../../support/harness.ts'
import { fund } from '../../../support/money.ts'

const rail = createManualClock()
const t = await startTestApp({ app: { simulatorClock: rail } })
after(() => t.close())

// biome-ignore lint/suspicious/noExplicitAny: JSON from the wire; every response is checked against its schema
type Shown = any

test('an account’s holds are listed with their owners until the owners have ended', async () => {
  const merchant = await t.merchant()
  const main = await fund(t.app.parts, merchant.scope, 10_000)
  await t.app.parts.db.transaction((tx) =>
    setFee(tx, merchant.scope.spaceId, 'payout', '1%', { by: 'operator', reason: 'as agreed' }),
  )
  const payOut = async (phoneNumber: string): Promise<string> => {
    const destination = { type: 'momo', providerId: 'm17', phoneNumber }
    const amount = { currency: 'SLE', value: 1_000 }
    return (await merchant.call('POST', '/v1/payouts', { amount, destination })).body.result.id
  }
  // The rail never responds to the first two by itself.
  const made = [await payOut('076123003'), await payOut('076124003'), await payOut('076123456')]
  const path = `/v1/financial-accounts/${main}/holds`
  const holds = async (query = '') => (await merchant.call('GET', `${path}${query}`)).body
  const ownersOf = ({ result }: Shown) => result.map(({ ownershipGraph }: Shown) => ownershipGraph.owner.id)

  const all = await holds()
  assert.deepEqual(ownersOf(all), made.toReversed())
  assert.deepEqual(
    all.result.map(({ amount, expireTime }: Shown) => [amount, expireTime]),
    made.map(() => [{ currency: 'SLE', value: 1_010 }, null]),
  )
  const { body } = await merchant.call('GET', `/v1/financial-accounts/${main}?withBalance=true`)
  assert.equal(body.result.balance.held.value, 3_030)
  const first = await holds('?limit=2')
  assert.deepEqual(ownersOf(first), [made[2], made[1]])
  assert.deepEqual(ownersOf(await holds(`?limit=2&after=${first.pagination.next}`)), [made[0]])

  await until(async () => {
    await rail.advance(300)
    return (await holds()).result.length === 2
  })
  assert.deepEqual(ownersOf(await holds()), [made[1], made[0]])
})

test('403 without balances:read, 404 for an unknown account', async () => {
  const merchant = await t.merchant()
  const main = await fund(t.app.parts, merchant.scope, 10)
  const viewer = await t.merchant({ sameUserAs: merchant, scopes: ['financial-accounts:read'] })
  const refused = await viewer.call('GET', `/v1/financial-accounts/${main}/holds`)
  assert.deepEqual([refused.status, refused.body.error.details[0].errors], [403, ['balances:read']])
  const none = await merchant.call('GET', '/v1/financial-accounts/fac-01kaj3v5w8e4r9tbn2m6c7d0xz/holds')
  assert.deepEqual([none.status, none.body.error.reason], [404, 'not_found'])
})
