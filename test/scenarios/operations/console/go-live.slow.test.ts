import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openConsole, shoot } from './stage.ts'

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

    await page.getByRole('link', { name: 'Set limits' }).click()
    await page.waitForURL(/\/live\/settings$/)
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
