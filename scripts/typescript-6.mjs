import { registerHooks } from 'node:module'

// dependency-cruiser parses with TypeScript's JavaScript API, which TypeScript 7 no longer has, so it gets TypeScript 6.
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier.replace(/^typescript(?=$|\/)/, 'typescript-6'), context),
})
