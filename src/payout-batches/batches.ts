// Exports that earlier slices are given, because they cannot import this one.

export { hasBatch } from './store.ts'
