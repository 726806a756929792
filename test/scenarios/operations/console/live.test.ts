import { after, test } from 'node:test'
import { payment } from './shop.ts'
import { openConsole, settled } from './stage.ts'

const stage = await openConsole()
after(() => stage.close())

for (const role of ['finance', 'support', 'viewer'])
  test(`${role}: a new payment appears in the list without a reload`, async () => {
    const shop = await stage.t.merchant()
    const member = await stage.t.merchant({ sameSpaceAs: shop, role })
    await stage.open(member, '/payments', async (page) => {
      await page.locator('.live.on').waitFor()
      await settled(page)
      await payment(shop, 'Country cloth', '076123456', 'completed')
      await page.getByText('Country cloth').first().waitFor()
    })
  })
