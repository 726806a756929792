export * from './rail-query.ts'
