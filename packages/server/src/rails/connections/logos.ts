import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { cardSchemes, type Provider } from '@pesewa/connector-kit'
import { messageOf } from '@pesewa/values'
import { isPng } from '../../platform/png.ts'
import { CatalogueError } from './catalogue-error.ts'
import { drawInitials } from './initials.ts'
import type { Tile, Tiles } from './tiles.ts'

/**
 * `path`: the path of the logo in our URLs. It contains a hash of the image, so the image at a given path never
 * changes.
 */
export type ProviderLogo = { path: string; type: 'image/png' | 'image/svg+xml'; image: Buffer }

export const logosPath = '/provider-logos'

const maxBytes = 32 * 1024 // maximum size of a provider’s logo
const maxSide = 512 // maximum width and height of a provider’s logo, in pixels

type Brand = Pick<Provider, 'providerId' | 'type' | 'name' | 'color'>

/** The card networks have logos, too, by the names that they have in the API. No provider needs these ids. */
const cardNetworks: Brand[] = cardSchemes.map((name) => ({ providerId: name, type: 'card', name }))

/**
 * Returns the logos of all providers and card networks, by id. In order of precedence, a logo is the operator's
 * file, the initials in the operator's colour, the included drawing of the brand, or the initials in the
 * provider's colour.
 *
 * @throws CatalogueError if a file is not a PNG within the limits, or a tile does not belong to any of them
 */
export function logosOf(file: string, providers: readonly Brand[], tiles: Tiles): Map<string, ProviderLogo> {
  const logos = [...cardNetworks, ...providers].map(
    (brand) => [brand.providerId, logoOf(file, brand, tiles[brand.providerId])] as const,
  )
  const byId = new Map(logos)
  const unknown = Object.keys(tiles).find((id) => !byId.has(id))
  if (unknown !== undefined)
    throw new CatalogueError(`${file}: tiles.${unknown}: no provider or card network has this id`)
  return byId
}

function logoOf(file: string, brand: Brand, { color, logo }: Tile = {}): ProviderLogo {
  if (logo !== undefined) return served('image/png', readPng(file, brand.providerId, logo))
  const drawing = drawings.get(drawingOf(brand))
  return served(
    'image/svg+xml',
    (color === undefined && drawing) || drawInitials(brand.name, color ?? brand.color),
  )
}

const drawingOf = ({ name }: Brand) => name.toLowerCase().replace(/[^a-z0-9]+/g, '-')

const folder = new URL('logos/', import.meta.url)

/**
 * The SVGs in `logos/`, by brand name in kebab-case, such as `orange-money`. They use the brands' colours but are
 * our own signs, because the brands' marks may not be shipped.
 */
export const drawings: ReadonlyMap<string, Buffer> = new Map(
  readdirSync(folder).map((file) => [path.parse(file).name, readFileSync(new URL(file, folder))]),
)

function served(type: ProviderLogo['type'], image: Buffer): ProviderLogo {
  const hash = createHash('sha256').update(image).digest('hex').slice(0, 16)
  return { path: `${logosPath}/${hash}.${type === 'image/png' ? 'png' : 'svg'}`, type, image }
}

function readPng(file: string, providerId: string, logo: string): Buffer {
  const fault = (words: string) => new CatalogueError(`${file}: tiles.${providerId}.logo ${words}`)
  const image = bytesOf(path.resolve(path.dirname(file), logo), fault)
  if (!image || !isPng(image, { maxBytes, maxSide }))
    throw fault(`must be a PNG of at most ${maxBytes / 1024} KiB and ${maxSide} × ${maxSide} pixels`)
  return image
}

/** Reads a file. Returns `undefined` if it is not a regular file or is too large. */
function bytesOf(place: string, fault: (words: string) => CatalogueError): Buffer | undefined {
  try {
    const found = statSync(place)
    return found.isFile() && found.size <= maxBytes ? readFileSync(place) : undefined
  } catch (error) {
    throw fault(`cannot be read: ${messageOf(error).replace(/\s+/g, ' ')}`)
  }
}
