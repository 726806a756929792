import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { openBrowser } from '../test/support/browser.ts'

/** Draws the picture of the included logos for the guide: `node scripts/logos-picture.ts`. */
const folder = path.join(import.meta.dirname, '../packages/server/src/rails/connections/logos')
const file = path.join(import.meta.dirname, '../docs/pictures/logos.png')

const logos = readdirSync(folder).map((name) => readFileSync(path.join(folder, name)).toString('base64'))
const browser = await openBrowser()
try {
  const page = await browser.newPage({ viewport: { width: 560, height: 100 } })
  await page.setContent(`<style>
    body { margin: 0; display: flex; flex-wrap: wrap; gap: 16px }
  </style>${logos.map((svg) => `<img height=40 src="data:image/svg+xml;base64,${svg}">`).join('')}`)
  // The picture is transparent, so that it fits light and dark pages.
  await page.locator('body').screenshot({ path: file, omitBackground: true })
} finally {
  await browser.close()
}
