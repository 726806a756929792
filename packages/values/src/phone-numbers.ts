export * from './networks.ts'
export * from './numbering-plans.ts'
export * from './phones.ts'
