import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { type Asset, assetOf } from '../platform/pages/assets.ts'

/** What `npm start` builds from `console/`: the page that all addresses below `/console` show, and its files. */
export type ConsoleFiles = {
  page: string
  /** What the policy lets the page's own style sheet in by. */
  styleSource: string
  assets: Asset[]
}

const built = new URL('../../console/dist/', import.meta.url)

/** `undefined` where it was not built: what was installed without its development packages brings it along. */
export function readConsoleFiles(folder = built): ConsoleFiles | undefined {
  const page = new URL('index.html', folder)
  if (!existsSync(page)) return undefined
  const assets = readdirSync(new URL('assets/', folder)).map((name) =>
    assetOf(`/console/assets/${name}`, readFileSync(new URL(`assets/${name}`, folder))),
  )
  return { ...withSheet(readFileSync(page, 'utf8'), assets), assets }
}

/** The style sheet stands in the page: on a slow network the first view is there a round trip earlier. */
function withSheet(page: string, assets: Asset[]): { page: string; styleSource: string } {
  let sheet = ''
  const whole = page.replace(/<link rel="stylesheet"[^>]* href="([^"]+)">/, (link, path) => {
    const asset = assets.find((each) => each.path === path)
    if (!asset) return link
    sheet = asset.body.toString()
    return `<style>${sheet}</style>`
  })
  return { page: whole, styleSource: `'sha256-${createHash('sha256').update(sheet).digest('base64')}'` }
}
