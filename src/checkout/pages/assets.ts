import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Encoding, pack } from './compression.ts'

export type Asset = { path: string; type: string; body: Buffer; packed: Record<Encoding, Buffer> }

const types = {
  'checkout.css': 'text/css; charset=utf-8',
  'checkout.js': 'text/javascript; charset=utf-8',
} as const

type AssetName = keyof typeof types

const byName = new Map(Object.keys(types).map((name) => [name, loadAsset(name as AssetName)]))

/** The pages' static files, read once. A path names its content, so it may be cached for ever. */
export const assets: readonly Asset[] = [...byName.values()]

export function assetPath(name: AssetName): string {
  const asset = byName.get(name)
  if (asset === undefined) throw new Error(`there is no asset ${name}`)
  return asset.path
}

function loadAsset(name: AssetName): Asset {
  const body = readFileSync(new URL(name, import.meta.url))
  const packed = { br: pack.br(body), gzip: pack.gzip(body) }
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 8)
  return { path: `/assets/${name.replace('.', `.${hash}.`)}`, type: types[name], body, packed }
}
