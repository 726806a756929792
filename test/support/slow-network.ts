import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

/** A phone at the edge of a network: 400 kbit/s, and 400 ms there and back. */
const slowNetwork = { bytesPerSecond: 50_000, roundTripMs: 400 }

/** How a page comes to a browser that has nothing of it yet. */
export type FirstView = {
  /** First Contentful Paint, from the address on, by the browser's own clock. */
  firstContentMs: number
  /** Cumulative Layout Shift until the page is idle; 0 where nothing moves. */
  layoutShift: number
  /** Packed, with headers: the page, and each file without which nothing is shown. */
  bytesToContent: number
  /** One for the page; one more where files stand before its content. */
  roundTripsToContent: number
}

/** Opens the address in a context of its own, on the slow network. */
export async function viewSlowly(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<FirstView> {
  const context = await browser.newContext({ viewport: { width: 360, height: 640 }, ...options })
  try {
    const page = await context.newPage()
    await slowDown(page)
    await page.goto(address, { waitUntil: 'networkidle' })
    return await page.evaluate<FirstView>(reading)
  } finally {
    await context.close()
  }
}

/**
 * What the network alone makes of it, whatever the machine: each round trip, and the bytes. A browser adds what it takes to parse and
 * to paint.
 */
export const networkMs = ({ bytesToContent, roundTripsToContent }: FirstView) =>
  roundTripsToContent * slowNetwork.roundTripMs + (1_000 * bytesToContent) / slowNetwork.bytesPerSecond

async function slowDown(page: Page): Promise<void> {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Network.enable')
  await devTools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: slowNetwork.roundTripMs,
    downloadThroughput: slowNetwork.bytesPerSecond,
    uploadThroughput: slowNetwork.bytesPerSecond,
  })
}

const reading = `new Promise((resolve) => {
  let layoutShift = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) layoutShift += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
  const read = () => {
    const [painted] = performance.getEntriesByName('first-contentful-paint')
    if (!painted) return requestAnimationFrame(read)
    const [visit] = performance.getEntriesByType('navigation')
    const blocking = performance.getEntriesByType('resource')
      .filter(({ renderBlockingStatus }) => renderBlockingStatus === 'blocking')
    requestAnimationFrame(() => resolve({
      firstContentMs: painted.startTime,
      layoutShift,
      bytesToContent: [visit, ...blocking].reduce((sum, { transferSize }) => sum + transferSize, 0),
      roundTripsToContent: blocking.length > 0 ? 2 : 1,
    }))
  }
  read()
})`
