import { defineConfig } from 'vite'

// Targets phones of the last six years. The server compresses the output and serves it with hashed, immutable names.
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
    // One stylesheet: it is small, and later pages do not shift.
    cssCodeSplit: false,
  },
})
