// Exports each resource separately, so that a bundler keeps only those in use.
export { connect, type Resource } from './connect.ts'
export * from './generated/operations.ts'
