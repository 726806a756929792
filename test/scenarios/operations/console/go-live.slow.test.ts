import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openConsole, shoot } from './stage.ts'
import { assertUsable, looksIn } from './usable.ts'

const stage = await openConsole()
after(() => stage.close())

test('the steps to go live show what is done in the live environment, and lead to where the rest is done', async () => {
  const { t } = stage
  const merchant = await t.merchant()
  const live = await t.merchant({ sameUserAs: merchant, environment: 'live' })
  const brand = { supportEmail: 'help@shop.example' }
  await stage.open(merchant, '/go-live', async (page) => {
    const stepOf = (title: string) =>
      page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title }) })
    await page.getByText('1 of 8 done').waitFor()
    await stepOf('Create a live access token').getByText('Done').waitFor()
    await stepOf('Tell payers who you are').getByText('To do').waitFor()
    await shoot(page, 'go-live')

    await merchant.call('PATCH', '/v1/settings', { brand })
    await page.reload()
    await page.getByText('1 of 8 done').waitFor()
    await live.call('PATCH', '/v1/settings', { brand })
    await page.reload()
    await page.getByText('2 of 8 done').waitFor()
    assert.equal(await stepOf('Tell payers who you are').getByRole('link').count(), 0)

    await stepOf('Connect a provider')
      .getByText(/company or person who runs this service/)
      .waitFor()
    const limits = stepOf('Set approval limits')
    assert.match(await limits.innerText(), /Optional/)
    await page.getByRole('link', { name: 'Set limits' }).click()
    await page.waitForURL(/\/live\/settings$/)
  })
})

test('home in live says that no real payment is possible, and the brand and limits of test can be copied to live', async () => {
  const { t } = stage
  const merchant = await t.merchant()
  const live = await t.merchant({ sameUserAs: merchant, environment: 'live' })
  const limit = [{ currency: 'SLE', value: 100_000 }]
  const brand = { name: 'Kadi’s Cloth', color: '#0f6b4f', supportEmail: 'help@shop.example' }
  await merchant.call('PATCH', '/v1/settings', { brand, payoutApprovalAbove: limit })
  await stage.open(live, '/', async (page) => {
    await page.getByText('You cannot accept real payments yet. 1 of 8 steps done.').waitFor()
    assert.equal(await page.getByText('All clear.').count(), 0)
    assert.equal(await page.getByText('Take your first one').count(), 0)
    await assertUsable(page, 'home-live', looksIn.en)
    await page.getByRole('link', { name: 'See what is missing' }).click()
    await page.getByText('1 of 8 done').waitFor()
    const first = page.getByRole('main').getByRole('listitem').first()
    await first.getByRole('heading', { name: 'Connect a provider Required' }).waitFor()
    await page.getByRole('button', { name: 'Copy from test' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Copy from test' }).click()
    await page.getByText('3 of 8 done').waitFor()
  })
  const { result } = (await live.call('GET', '/v1/settings')).body
  assert.equal(result.brand.name, brand.name)
  assert.equal(result.brand.color, brand.color)
  assert.deepEqual(result.payoutApprovalAbove, limit)
})

test('an operator is told how to connect a live provider, which cannot be done in the console', async () => {
  const operator = await stage.t.merchant({ isOperator: true })
  await stage.open(operator, '/go-live', async (page) => {
    await page.getByRole('link', { name: 'See how' }).click()
    await page.getByText('No provider is connected for live payments.').waitFor()
    assert.equal(await page.getByRole('main').getByRole('row').count(), 0)
    await assertUsable(page, 'providers-none-live', looksIn.en)
    await page.getByRole('link', { name: 'Guide: connect a provider' }).click()
    await page.getByRole('heading', { level: 1, name: 'Providers' }).waitFor()
  })
})

test('a viewer sees the steps without links to what they may not do', async () => {
  const owner = await stage.t.merchant()
  const viewer = await stage.t.merchant({ sameSpaceAs: owner, role: 'viewer' })
  await stage.open(viewer, '/go-live', async (page) => {
    await page.getByRole('heading', { name: 'Take a first small payment' }).waitFor()
    assert.deepEqual(await page.getByRole('main').getByRole('listitem').getByRole('link').allInnerTexts(), [
      'Add a passkey',
    ])
  })
})
