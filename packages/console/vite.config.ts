import { defineConfig, type Plugin } from 'vite'

/** Loads the imports of the entry together with it, which saves a round trip. */
const preloadImports: Plugin = {
  name: 'preload-imports',
  transformIndexHtml: (_html, { chunk }) =>
    (chunk?.imports ?? []).map((file) => ({
      tag: 'link',
      attrs: { rel: 'modulepreload', crossorigin: true, href: `/console/${file}` },
    })),
}

// Targets phones from the last six years. The server compresses the files, whose names contain hashes, so they can be cached.
export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  publicDir: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [preloadImports],
  build: {
    target: 'es2020',
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // Home’s files are requested together. Doing the same for all pages would make the first load larger.
      resolveDependencies: (page, files) =>
        page.includes('/home-') ? files.filter((file) => !/\/(?:shared|index)-/.test(file)) : [],
    },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Code that many pages share is in two files: they compress better, and slow networks need fewer requests.
          // Lists need no forms until the user opens one.
          groups: [
            {
              name: 'shared',
              test: /src\/(?!parts\/(?:form|form-reader|confirm|copy|dialog|decisions)\.)/,
              minShareCount: 12,
              priority: 2,
            },
            { name: 'forms', test: /src\/parts/, minShareCount: 8 },
          ],
        },
      },
    },
  },
})
