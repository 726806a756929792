import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

/** A phone on a weak network: 400 kbit/s, with a round trip of 400 ms. */
const slowNetwork = { bytesPerSecond: 50_000, roundTripMs: 400 }

/** How a page loads in a browser with an empty cache. */
export type FirstView = {
  /** First Contentful Paint since navigation started, as measured by the browser. */
  firstContentMs: number
  /** Cumulative Layout Shift until the page is idle; 0 if nothing moves. */
  layoutShift: number
  /** Transferred bytes, compressed and with headers, of the page and of each render-blocking file. */
  bytesToContent: number
  /** One for the page, and another one if there are render-blocking files. */
  roundTripsToContent: number
}

/** Opens a URL in a new browser context on the slow network, and measures its first view. */
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
 * Returns the time that the network alone takes, on any machine: round trips and transfer. A browser adds the
 * time for parsing and painting.
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
