// Exports for earlier slices.

export { hasBatch } from './store.ts'
