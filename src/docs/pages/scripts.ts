import { readFileSync } from 'node:fs'
import { type Asset, loadAsset, namedAsset } from '../../platform/pages/assets.ts'

const library = readFileSync(new URL(import.meta.resolve('minisearch')), 'utf8')

/** Scripts of the pages, and those that the search loads on first use. */
export const scripts = {
  page: loadAsset(import.meta.url, 'docs.js'),
  search: loadAsset(import.meta.url, 'docs-search.js'),
  index: loadAsset(new URL('../search/', import.meta.url), 'docs-index.js'),
  // More than half of the library is comments.
  library: namedAsset(
    'minisearch.js',
    Buffer.from(
      library.replace(/^\s*\/\*\*[\s\S]*?\*\/\n/gm, '').replace(/^\/\/# sourceMappingURL=.*$/m, ''),
    ),
  ),
} satisfies Record<string, Asset>
