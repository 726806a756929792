import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { type Asset, assetOf } from '../platform/pages/assets.ts'

/** What `npm start` builds from `console/`: the page that all addresses below `/console` show, and its files. */
export type ConsoleFiles = { page: string; assets: Asset[] }

const built = new URL('../../console/dist/', import.meta.url)

/** `undefined` where it was not built: what was installed without its development packages brings it along. */
export function readConsoleFiles(folder = built): ConsoleFiles | undefined {
  const page = new URL('index.html', folder)
  if (!existsSync(page)) return undefined
  const assets = readdirSync(new URL('assets/', folder)).map((name) =>
    assetOf(`/console/assets/${name}`, readFileSync(new URL(`assets/${name}`, folder))),
  )
  return { page: readFileSync(page, 'utf8'), assets }
}
