// What this slice provides to earlier ones.

export { hasBatch } from './store.ts'
