import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { addresses } from '../../../console/src/pages/addresses.ts'
import type { Merchant } from '../../harness.ts'
import { accessibilityFaults, loadAxe, overflowOf } from '../../page-faults.ts'
import { fillShop } from './shop.ts'
import { openConsole, settled, shoot } from './stage.ts'

// Every page of the console, as people see it: in both languages, by day and by night, on phones and wide screens.

const stage = await openConsole()
after(() => stage.close())
let shop: Merchant
let shown: Record<string, string>
before(async () => {
  shop = await stage.t.merchant({ name: 'Salone Fabrics', isOperator: true })
  shown = await fillShop(stage.t, shop)
})

const widths = [360, 768, 1440]

for (const language of ['en', 'fr'] as const)
  describe(`in ${language}`, () => {
    for (const { path } of addresses)
      test(`${path} can be used by everybody, by day and by night, and fits every screen`, () =>
        stage.visit({ merchant: shop, language }, async (page) => {
          const address = shown[path] ?? path
          assert.ok(!address.includes(':'), `test/scenarios/console/shop.ts has nothing to show at ${path}`)
          await page.goto(stage.addressOf(shop, address))
          await settled(page)
          await loadAxe(page)
          const faults: object[] = []
          for (const colorScheme of ['light', 'dark'] as const)
            for (const width of widths) {
              await page.emulateMedia({ colorScheme })
              await page.setViewportSize({ width, height: 900 })
              faults.push(
                ...(await accessibilityFaults(page)).map((fault) => ({ colorScheme, width, ...fault })),
              )
              const overflow = await overflowOf(page)
              if (overflow > 0) faults.push({ colorScheme, width, overflow })
              const name = address.slice(1).replace(/\W+/g, '-').slice(0, 40) || 'home'
              await shoot(page, `${name}-${language}-${colorScheme}-${width}`)
            }
          assert.deepEqual(faults, [])
        }))
  })
