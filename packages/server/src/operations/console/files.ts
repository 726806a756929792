import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { type Asset, assetOf } from '@pesewa/pages'

/** The build output of `packages/console/`: the page that is served for every URL under `/console`, and its assets. */
export type ConsoleFiles = {
  page: string
  /** CSP source that allows the page's inline style sheet. */
  styleSource: string
  assets: Asset[]
}

const built = new URL('../../../../console/dist/', import.meta.url)

/**
 * Reads the built console. Returns `undefined` if the console has not been built. Installations without
 * development packages come with a built console.
 */
export function readConsoleFiles(folder = built): ConsoleFiles | undefined {
  const page = new URL('index.html', folder)
  if (!existsSync(page)) return undefined
  const assets = readdirSync(new URL('assets/', folder)).map((name) =>
    assetOf(`/console/assets/${name}`, readFileSync(new URL(`assets/${name}`, folder))),
  )
  return { ...inlineStyleSheet(readFileSync(page, 'utf8'), assets), assets }
}

/** Inlines the style sheet into the page, which saves a round trip before the first paint on slow networks. */
function inlineStyleSheet(page: string, assets: Asset[]): { page: string; styleSource: string } {
  let sheet = ''
  const whole = page.replace(/<link rel="stylesheet"[^>]* href="([^"]+)">/, (link, path) => {
    const asset = assets.find((each) => each.path === path)
    if (!asset) return link
    sheet = asset.body.toString()
    return `<style>${sheet}</style>`
  })
  return { page: whole, styleSource: `'sha256-${createHash('sha256').update(sheet).digest('base64')}'` }
}
