import { scopeIssue } from './scope.ts'
import { findIn, type Source } from './sources.ts'
import { functionStatementsOf, statementsOf, withoutStatements } from './statements.ts'

/**
 * Returns statements that may touch rows of more than one Space. A comment `every space: …` explains why a
 * statement may do so.
 */
export function unscopedStatements(program: Source[], migrations: Source[], tables: Set<string>): string[] {
  const inCode = program.flatMap((source) =>
    statementsOf(source).map((statement) => ({ ...statement, isProof: source.path.endsWith('checks.ts') })),
  )
  const inFunctions = migrations
    .flatMap(functionStatementsOf)
    .map((statement) => ({ ...statement, before: '', isProof: false }))
  return [...inCode, ...inFunctions]
    .filter(({ sql, before }) => !/every space: ./.test(before + sql))
    .map(({ at, sql, isProof }) => ({ at, fault: scopeIssue(sql, tables, isProof) }))
    .filter(({ fault }) => fault !== undefined)
    .map(({ at, fault }) => `${at} ${fault}`)
}

/** Returns SQL on tables of Spaces that is not in a sql`…` template, where the rule above would miss it. */
export function hiddenStatements(program: Source[], tables: Set<string>): string[] {
  const verb = /\b(?:from|join|into|update|truncate|table)\s+(\w+)/gi
  return program
    .flatMap((source) => findIn(withoutStatements(source), verb))
    .filter(({ match }) => tables.has(match[1]!))
    .map(({ at, match }) => `${at} ${match[0]}`)
}
