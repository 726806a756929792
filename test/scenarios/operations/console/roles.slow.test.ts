import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Address, addresses } from '../../../../packages/console/src/parts/addresses.ts'
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
  test(`${role}: the menu and the pages match the permissions of the role`, async () => {
    const member = await stage.t.merchant({ sameSpaceAs: shop, role })
    const may = ({ permission }: Address) => !permission || roleHas(role, permission)
    await stage.visit({ merchant: member }, async (page) => {
      await page.goto(stage.addressOf(member, '/'))
      await page.locator('nav a').first().waitFor()
      const labels = all.flatMap((address) => (address.label && may(address) ? [address.label.en] : []))
      assert.deepEqual(await page.locator('nav li a').allTextContents(), labels)
      for (const address of all) {
        await goTo(page, stage.addressOf(member, shown[address.path] ?? address.path))
        const refusal = page.getByRole('heading', {
          name: 'Your role does not give you access to this page',
        })
        assert.equal(await refusal.count(), may(address) ? 0 : 1, address.path)
      }
    })
  })
