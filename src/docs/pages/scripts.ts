import { readFileSync } from 'node:fs'
import { type Asset, loadAsset, namedAsset } from '../../platform/pages/assets.ts'

const library = readFileSync(new URL(import.meta.resolve('minisearch')), 'utf8')

/** What the pages' script loads when somebody searches. */
export const scripts = {
  page: loadAsset(import.meta.url, 'docs.js'),
  search: loadAsset(import.meta.url, 'docs-search.js'),
  index: loadAsset(new URL('../search/', import.meta.url), 'docs-index.js'),
  // Its comments are the larger half of it.
  library: namedAsset(
    'minisearch.js',
    Buffer.from(
      library.replace(/^\s*\/\*\*[\s\S]*?\*\/\n/gm, '').replace(/^\/\/# sourceMappingURL=.*$/m, ''),
    ),
  ),
} satisfies Record<string, Asset>
