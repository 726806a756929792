import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { color } from '@pesewa/connector-kit'
import { messageOf } from '@pesewa/values'
import Type, { type Static } from 'typebox'
import type { RawRoute } from '../../platform/http/commands/route.ts'
import { isPng } from '../../platform/png.ts'
import { CatalogueError } from './catalogue-error.ts'

// How providers look on payment pages, as configured by the operator.

/** `logo`: the path of a PNG file, relative to the operator's file. */
const tile = Type.Object(
  {
    color: Type.Optional(color),
    logo: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  },
  { additionalProperties: false },
)
export const tilesShape = Type.Record(Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,63}$' }), tile)
export type Tiles = Static<typeof tilesShape>

/**
 * `path`: the path of the logo in our URLs. It contains a hash of the image, so the image at a given path never
 * changes.
 */
export type ProviderLogo = { path: string; image: Buffer }

const maxBytes = 32 * 1024 // maximum size of a provider’s logo
const maxSide = 512 // maximum width and height of a provider’s logo, in pixels

/**
 * Reads the logos of all tiles, by provider id.
 *
 * @throws CatalogueError if a file is not a PNG within these limits
 */
export function readLogos(file: string, tiles: Tiles): Map<string, ProviderLogo> {
  const logos = Object.entries(tiles).flatMap(([providerId, { logo }]) =>
    logo === undefined ? [] : [[providerId, readLogo(file, providerId, logo)] as const],
  )
  return new Map(logos)
}

function readLogo(file: string, providerId: string, logo: string): ProviderLogo {
  const fault = (words: string) => new CatalogueError(`${file}: tiles.${providerId}.logo ${words}`)
  const image = bytesOf(path.resolve(path.dirname(file), logo), fault)
  if (!image || !isPng(image, { maxBytes, maxSide }))
    throw fault(`must be a PNG of at most ${maxBytes / 1024} KiB and ${maxSide} × ${maxSide} pixels`)
  const hash = createHash('sha256').update(image).digest('hex').slice(0, 16)
  return { path: `${logosPath}/${hash}.png`, image }
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

const logosPath = '/provider-logos'

/** Serves provider logos to payment pages. */
export function providerLogoRoute(catalogue: { logos(): ProviderLogo[] }): RawRoute {
  const byPath = new Map(catalogue.logos().map(({ path, image }) => [path, image]))
  return {
    kind: 'raw',
    method: 'GET',
    url: `${logosPath}/:logo`,
    summary: 'Provider logo, as PNG',
    async handle(request, reply) {
      const [place = ''] = request.url.split('?')
      const image = byPath.get(place)
      reply.headers({
        'content-security-policy': "default-src 'none'",
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
      })
      if (!image) return reply.code(404).type('text/plain; charset=utf-8').send('There is no such logo.\n')
      return reply
        .header('cache-control', 'public, max-age=31536000, immutable')
        .type('image/png')
        .send(image)
    },
  }
}
