// Exports each resource separately, so that a bundler includes only those that are used.
export { webhooks } from './client.ts'
export { connect, type Resource } from './connect.ts'
export * from './generated/operations.ts'
