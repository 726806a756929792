// Exports for slices that come before this one.

export { hasBatch } from './store.ts'
