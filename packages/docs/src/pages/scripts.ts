import { readFileSync } from 'node:fs'
import { type Asset, loadAsset, namedAsset } from '@pesewa/pages'

const library = readFileSync(new URL(import.meta.resolve('minisearch')), 'utf8')

/** The scripts of the pages, and those that the search loads on first use. */
export const scripts = {
  page: loadAsset(import.meta.url, 'docs.js'),
  search: loadAsset(import.meta.url, 'docs-search.js'),
  index: loadAsset(new URL('../search/', import.meta.url), 'docs-index.js'),
  // Comments make up more than half of this library, so they are removed.
  library: namedAsset(
    'minisearch.js',
    Buffer.from(
      library.replace(/^\s*\/\*\*[\s\S]*?\*\/\n/gm, '').replace(/^\/\/# sourceMappingURL=.*$/m, ''),
    ),
  ),
} satisfies Record<string, Asset>
