import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import type { Page } from 'playwright-core'
import { until } from '../../../support/harness.ts'
import { customer, openShopWithCustomers } from '../personal-data/customers.ts'
import { openConsole, settled, shoot } from './stage.ts'

const rail = createManualClock()
const stage = await openConsole({ app: { simulatorClock: rail } })
after(() => stage.close())

const fatu = customer('700100')
let shop: Awaited<ReturnType<typeof openShopWithCustomers>>
before(async () => {
  shop = await openShopWithCustomers(stage.t, rail)
  await shop.visit(fatu)
})

const find = async (page: Page, phone: string) => {
  await page.getByLabel('Phone number, account number').fill(phone)
  await page.getByLabel('Reason').first().fill('Request of 3 May')
  await page.getByRole('button', { name: 'Find', exact: true }).click()
}

test('a member finds a person, downloads their data, previews the erasure and erases what may be erased', async () => {
  await stage.open(shop.merchant, '/personal-data', async (page) => {
    await shoot(page, 'personal-data')
    await find(page, '12')
    await page.getByText('Enter a valid phone number').waitFor()
    await find(page, `0${fatu.phone.slice(4)}`)
    await page.getByRole('heading', { name: 'Data about +23276****00' }).waitFor()
    assert.ok(!page.url().includes('76700100'), 'the number is in the URL')
    await shoot(page, 'personal-data-found')

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download JSON' }).click(),
    ])
    const document = readFileSync(await download.path(), 'utf8')
    assert.ok(document.includes(fatu.phone) && document.includes(fatu.name))

    await page.getByRole('button', { name: 'Preview erasure' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Reason').fill('Request of 3 May')
    await dialog.getByRole('button', { name: 'Preview erasure' }).click()
    await page.getByRole('heading', { name: 'Erasure of +23276****00' }).waitFor()
    await page.getByRole('table', { name: 'Will be erased' }).getByText('Payment codes').waitFor()
    await page.getByRole('table', { name: 'Must be kept' }).getByText('Retention period').first().waitFor()
    await shoot(page, 'personal-data-preview')

    await page.getByRole('button', { name: 'Erase', exact: true }).click()
    await dialog.getByText('This cannot be undone').waitFor()
    await shoot(page, 'personal-data-confirm')
    await dialog.getByRole('button', { name: 'Erase', exact: true }).click()
    await page.getByRole('table', { name: 'Erased' }).getByText('One-time passwords').waitFor()
    await page.getByText('Waiting', { exact: true }).first().waitFor()
    await shoot(page, 'personal-data-erased')
  })
})

test('a member places a hold on everybody, lifts it, and changes a retention period within its bounds', async () => {
  await stage.open(
    shop.merchant,
    '/personal-data',
    async (page) => {
      const dialog = page.getByRole('dialog')
      await page.getByRole('button', { name: 'Hold all data' }).click()
      await dialog.getByLabel('Reason').fill('Court order')
      await dialog.getByRole('button', { name: 'Hold all data' }).click()
      const holds = page.getByRole('table', { name: 'Legal holds' })
      await holds.getByRole('cell', { name: 'Everybody', exact: true }).waitFor()
      await holds.getByRole('button', { name: 'Lift' }).click()
      await dialog.getByLabel('Reason').fill('Case closed')
      await dialog.getByRole('button', { name: 'Lift' }).click()
      await holds.getByText('Lifted').waitFor()

      const periods = page.getByRole('table', { name: 'Retention periods' })
      await periods.getByRole('button', { name: 'Change Numbers in payments' }).click()
      await dialog.getByLabel('Days').fill('30')
      await dialog.getByLabel('Reason').fill('New policy')
      await dialog.getByRole('button', { name: 'Change' }).click()
      await dialog.getByText('must be from 1826 to 3653').waitFor()
      await dialog.getByLabel('Days').fill('2000')
      await dialog.getByRole('button', { name: 'Change' }).click()
      await periods.getByText('2000 days').waitFor()
      await shoot(page, 'personal-data-holds')
    },
    [400],
  )
  await until(async () => {
    const { result } = (await shop.merchant.call('GET', '/v1/retention-periods')).body
    return result.periods[0].days === 2_000
  })
})

for (const [name, more] of [
  ['dark', { colorScheme: 'dark' as const }],
  ['phone', { viewport: { width: 390, height: 844 } }],
  ['french', { language: 'fr' as const, viewport: { width: 390, height: 844 } }],
] as const)
  test(`an erasure can be read: ${name}`, async () => {
    const [{ id }] = await shop.read('/v1/personal-data-erasures')
    await stage.visit({ merchant: shop.merchant, ...more }, async (page) => {
      await page.goto(stage.addressOf(shop.merchant, `/personal-data?erasure=${id}`))
      await settled(page)
      await page.getByText('+23276****00').first().waitFor()
      const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
      assert.ok(Number(wide) <= 0, `the page is ${wide} px too wide`)
      await shoot(page, `personal-data-${name}`)
    })
  })
