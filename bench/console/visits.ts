import type { Page } from 'playwright-core'
import { openBrowser } from '../../test/support/browser.ts'

/** Time to content in milliseconds; `waited` is the part during which a request was pending. */
type Visit = { ms: number; waited: number }

export type Measured = { name: string; visits: Visit[] }

type Console = { origin: string; secret: string; spaceId: string; account: string; visits: number }

const pagesOf = ({ account }: Console): Record<string, (n: number) => string> => ({
  home: () => '/',
  payments: () => '/payments',
  'payments that failed': () => '/payments?status=failed',
  'payments of a day': (n) =>
    `/payments?from=2026-11-0${1 + (n % 9)}T00:00:00Z&to=2026-11-0${1 + (n % 9)}T23:00:00Z`,
  'payments, searched': (n) => `/payments?q=${1 + n * 7}`,
  'one payer': (n) => `/payers?phoneNumber=%2B2327${String((n * 7919) % 1_000_000).padStart(7, '0')}`,
  refunds: () => '/refunds',
  'payment links': () => '/checkout-sessions',
  payouts: () => '/payouts',
  transfers: () => '/internal-transfers',
  accounts: () => '/financial-accounts',
  'an account': () => `/financial-accounts/${account}`,
  'ledger lines': () => '/financial-transactions',
  events: () => '/events',
  requests: () => '/requests',
  reports: () => '/reports',
  // A page that only loads the current user, which measures the browser's own overhead.
  'no page at all': () => '/nowhere',
})

/**
 * Opens all pages in turn, each of them as often as requested, and measures the time from navigation to
 * content, in milliseconds.
 */
export async function measurePages(console: Console): Promise<Measured[]> {
  const { origin, secret, spaceId, visits } = console
  const browser = await openBrowser()
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
    await context.addCookies([
      { name: 'pesewa', value: secret, url: origin, httpOnly: true, sameSite: 'Lax' },
    ])
    const page = await context.newPage()
    const pages = Object.entries(pagesOf(console))
    const measured: Measured[] = pages.map(([name]) => ({ name, visits: [] }))
    // The first round warms the caches of browser, node and database.
    for (let round = 0; round <= visits; round++)
      for (const [i, [, address]] of pages.entries()) {
        await page.goto(`${origin}/console/${spaceId}/test${address(round)}`, { waitUntil: 'commit' })
        const visit = await untilContent(page)
        const alert = page.locator('[role=alert]')
        if ((await alert.count()) > 0)
          throw new Error(`${address(round)} shows: ${await alert.first().textContent()}`)
        if (round > 0) measured[i]?.visits.push(visit)
      }
    return measured
  } finally {
    await browser.close()
  }
}

/** Waits for the content. Times are measured with the browser's own clock, which starts at navigation. */
const untilContent = (page: Page): Promise<Visit> =>
  page.evaluate<Visit>(`new Promise((resolve) => {
    const waitedUntil = (end) => {
      const requests = ['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type))
      let [waited, last] = [0, 0]
      for (const { startTime, responseEnd } of requests.sort((a, b) => a.startTime - b.startTime)) {
        waited += Math.max(0, Math.min(responseEnd || end, end) - Math.max(startTime, last))
        last = Math.max(last, responseEnd)
      }
      return waited
    }
    const look = () => {
      const isThere = document.querySelector('main h1') && !document.querySelector('.loading')
      const ms = performance.now()
      if (isThere) resolve({ ms, waited: waitedUntil(ms) })
      else requestAnimationFrame(look)
    }
    look()
  })`)

/** Nearest-rank percentile: of 100 numbers, the 99th is the p99. */
export function percentile(numbers: number[], percent: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)] ?? Number.NaN
}
