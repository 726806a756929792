// Each resource by itself, for what has to be small: a bundler keeps only those that are named.
export { connect, type Resource } from './connect.ts'
export * from './generated/operations.ts'
