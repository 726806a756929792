// What the slice hands in to those before it.

export { hasBatch } from './store.ts'
