import type { Page } from 'playwright-core'
import { openBrowser } from '../../test/browser.ts'

export type Measured = { name: string; p50: number; p99: number }

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
})

/** Opens each page so often, in turns, and measures the time from its address to its content, in milliseconds. */
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
    const times = pages.map((): number[] => [])
    // The first round is for caches of browser, node and database.
    for (let round = 0; round <= visits; round++)
      for (const [i, [, address]] of pages.entries()) {
        await page.goto(`${origin}/console/${spaceId}/test${address(round)}`, { waitUntil: 'commit' })
        const ms = await untilContent(page)
        const refusal = await page
          .locator('[role=alert]')
          .first()
          .textContent({ timeout: 1 })
          .catch(() => null)
        if (refusal) throw new Error(`${address(round)} shows: ${refusal}`)
        if (round > 0) times[i]?.push(ms)
      }
    return pages.map(([name], i) => summed(name, times[i] ?? []))
  } finally {
    await browser.close()
  }
}

/** By the browser's own clock, which begins when it was sent to the page. */
const untilContent = (page: Page): Promise<number> =>
  page.evaluate<number>(`new Promise((resolve) => {
    const look = () => {
      const isThere = document.querySelector('main h1') && !document.querySelector('.loading')
      if (isThere) resolve(performance.now())
      else requestAnimationFrame(look)
    }
    look()
  })`)

function summed(name: string, times: number[]): Measured {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (percent: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? 0
  return { name, p50: at(50), p99: at(99) }
}
