import { defineConfig } from 'vite'

// What phones of the last six years read; the server packs and serves what comes out, for ever by its hash.
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
    // One sheet: it is small, and a page that comes later does not shift.
    cssCodeSplit: false,
  },
})
