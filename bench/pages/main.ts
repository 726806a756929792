import { parseArgs } from 'node:util'
import { openBrowser } from '../../test/support/browser.ts'
import { type FirstView, networkMs, viewSlowly } from '../../test/support/slow-network.ts'
import { openBooks, openMainAccounts } from '../books.ts'
import { startNode } from '../node.ts'
import { makeSession } from '../route-fixtures.ts'
import { withBenchDatabase } from '../with-database.ts'

/**
 * `npm run bench:pages`: measures when a phone on a slow network (400 kbit/s, 400 ms round trip) shows the
 * first content of an uncached page, and the layout shift afterwards. Exits with 1 if the first content takes a
 * second or longer, or if anything shifts.
 */
const { values } = parseArgs({ options: { visits: { type: 'string', default: '5' } } })
const visits = Number(values.visits)
if (!(Number.isInteger(visits) && visits > 0)) {
  console.error('--visits must be a whole number from 1')
  process.exit(1)
}

const limitMs = 1_000

process.exitCode = await withBenchDatabase(undefined, undefined, async (database) => {
  const shop = await openBooks(database, 10, 1)
  await openMainAccounts(database, [shop])
  const node = await startNode(database, ['serve', '--work'])
  const browser = await openBrowser()
  try {
    const caller = { origin: node.origin, token: shop.token, spaceId: shop.shownSpaceId }
    const { redirectUrl = '' } = await makeSession(caller)
    // At another address than that of the checkout page, the console says that users cannot sign in there.
    const { origin } = new URL(redirectUrl)
    const pages = {
      checkout: redirectUrl,
      console: `${origin}/console`,
      docs: `${origin}/docs`,
      'a guide': `${origin}/docs/guides/checkout`,
      'front page': `${origin}/`,
      handsets: `${origin}/simulator`,
    }
    let isWithin = true
    console.log('page          first content, ms (network alone)   bytes   round trips   layout shift')
    for (const [name, address] of Object.entries(pages)) {
      const views: FirstView[] = []
      for (let visit = 0; visit < visits; visit++) views.push(await viewSlowly(browser, address))
      const slowest = views.reduce((a, b) => (a.firstContentMs > b.firstContentMs ? a : b))
      const layoutShift = Math.max(...views.map((view) => view.layoutShift))
      isWithin &&= slowest.firstContentMs < limitMs && layoutShift === 0
      console.log(
        [
          name.padEnd(13),
          `${Math.round(middleOf(views))}, slowest ${Math.round(slowest.firstContentMs)} (${Math.round(networkMs(slowest))})`.padEnd(
            36,
          ),
          String(slowest.bytesToContent).padStart(6),
          String(slowest.roundTripsToContent).padStart(13),
          layoutShift.toFixed(3).padStart(14),
        ].join(' '),
      )
    }
    return isWithin ? 0 : 1
  } finally {
    await browser.close()
    await node.stop()
  }
})

function middleOf(views: FirstView[]): number {
  const sorted = views.map(({ firstContentMs }) => firstContentMs).toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
