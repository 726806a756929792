import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { brotliCompressSync, gzipSync } from 'node:zlib'

export type Encoding = 'br' | 'gzip'

/** Compresses content that does not change, at the highest level. */
export const compress: Record<Encoding, (body: Buffer) => Buffer> = {
  br: (body) => brotliCompressSync(body),
  gzip: (body) => gzipSync(body, { level: 9 }),
}

/** A static file. Its path contains a hash of its content, so browsers can cache it forever. */
export type Asset = { path: string; type: string; body: Buffer; packed: Readonly<Record<Encoding, Buffer>> }

const types = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' } as const
const typeOf = (path: string) => types[path.endsWith('.css') ? 'css' : 'js']

/** The style sheet that is prepended to every other style sheet. */
const base = readFileSync(new URL('base.css', import.meta.url))

/**
 * Reads a file as an asset, which is compressed on first use. A file named `checkout.css` gets a path like
 * `/assets/checkout.1f2e3d4c.css`.
 */
export function loadAsset(folder: string | URL, name: `${string}.${keyof typeof types}`): Asset {
  const file = readFileSync(new URL(name, folder))
  return namedAsset(name, name.endsWith('.css') ? Buffer.concat([base, file]) : file)
}

/** Creates an asset whose path contains a hash of its content. For `name`, see `loadAsset`. */
export function namedAsset(name: `${string}.${keyof typeof types}`, body: Buffer): Asset {
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 8)
  return assetOf(`/assets/${name.replace('.', `.${hash}.`)}`, body)
}

/** Reads and minifies style sheets that are inlined into their page, so that slow phones need only one round trip. */
export function loadSheet(folder: string | URL, ...names: `${string}.css`[]): string {
  const minified = Buffer.concat([base, ...names.map((name) => readFileSync(new URL(name, folder)))])
    .toString()
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,]) ?/g, '$1')
    .replaceAll(': ', ':')
    .replaceAll(';}', '}')
    .trim()
  // A character such as “…” in a comment makes V8 store two bytes per character, even after the comment has been
  // removed, and pages that contain such a text take twice as long to send. Decoding the text again avoids this.
  return Buffer.from(minified).toString()
}

/** Creates an asset with a fixed path. */
export const assetOf = (path: string, body: Buffer): Asset => ({
  path,
  type: typeOf(path),
  body,
  packed: packedWhenAsked(body),
})

function packedWhenAsked(body: Buffer): Asset['packed'] {
  const packed: Partial<Record<Encoding, Buffer>> = {}
  const packAs = (encoding: Encoding) => {
    packed[encoding] ??= compress[encoding](body)
    return packed[encoding]
  }
  return {
    get br() {
      return packAs('br')
    },
    get gzip() {
      return packAs('gzip')
    },
  }
}
