export {
  countMatched,
  type Statement,
  selectStatement as findStatement,
  selectStatements as listStatements,
} from './statement-store.ts'
