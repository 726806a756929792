import { defineConfig } from 'vite'

// Targets phones from the last six years. The server compresses the files, whose names contain hashes, so they can be cached.
export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  publicDir: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2020',
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // A single stylesheet is small enough, and avoids layout shifts when a page's code is loaded.
    cssCodeSplit: false,
  },
})
