import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Address, addresses, sections } from '../../../../packages/console/src/parts/addresses.ts'
import { roleHas, roleNames } from '../../../../packages/server/src/tenants/spaces/permissions.ts'
import type { Merchant } from '../../../support/harness.ts'
import { fillShop } from './shop.ts'
import { goTo, openConsole } from './stage.ts'

// Each role sees the pages that its permissions allow, and no page makes a call that its user may not make: a
// refused call fails the visit.

const stage = await openConsole()
after(() => stage.close())
let shop: Merchant
let shown: Record<string, string>
before(async () => {
  shop = await stage.t.merchant()
  shown = await fillShop(stage.t, shop)
})

const all: readonly Address[] = addresses

for (const role of roleNames)
  test(`${role}: the menu, the tabs and the pages match the permissions of the role`, async () => {
    const member = await stage.t.merchant({ sameSpaceAs: shop, role })
    const may = ({ permission }: Address) => !permission || roleHas(role, permission)
    await stage.visit({ merchant: member }, async (page) => {
      await page.goto(stage.addressOf(member, '/'))
      await page.locator('nav a').first().waitFor()
      const shownTabs = (pages: readonly Address[]) => pages.filter((each) => each.label && may(each))
      const shownSections = sections.filter(({ pages }) => shownTabs(pages).length > 0)
      const menu = page.locator('nav[aria-label=Menu] li a')
      assert.deepEqual(
        await menu.locator('.label').allTextContents(),
        shownSections.map(({ label }) => label.en),
      )
      for (const [i, { label, pages }] of shownSections.entries()) {
        await menu.nth(i).click()
        assert.equal(await menu.nth(i).getAttribute('aria-current'), 'page')
        const tabs = shownTabs(pages).map(({ label }) => label?.en ?? '')
        const strip = page.locator(`nav[aria-label="${label.en}"] .label`)
        assert.deepEqual(await strip.allTextContents(), tabs.length > 1 ? tabs : [])
      }
      for (const address of all) {
        await goTo(page, stage.addressOf(member, shown[address.path] ?? address.path))
        const refusal = page.getByRole('heading', {
          name: 'Your role does not give you access to this page',
        })
        assert.equal(await refusal.count(), may(address) ? 0 : 1, address.path)
      }
    })
  })
