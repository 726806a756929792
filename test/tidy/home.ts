import type { Source } from './sources.ts'
import { describedIn, writtenIn } from './sql-order.ts'
import { statementsOf } from './statements.ts'

/**
 * Statements that write or lock a table of home, or of a cell, in a transaction of the other. The type system checks that
 * functions pass on the right transaction; this rule checks the type that a function with a statement demands. It reads
 * the nearest parameter `tx` before the statement.
 */
export function misplacedStatements(program: Source[], homeTables: Set<string>): string[] {
  return program.flatMap((source) => {
    const described = describedIn(source)
      .filter(({ sql }) => writtenIn(sql).some((table) => homeTables.has(table)))
      .map(({ at }) => `${at} describes a table of home, whose rows could be written in a cell`)
    const written = statementsOf(source).flatMap(({ at, sql, start }) => {
      const tables = [...writtenIn(sql), ...lockedIn(sql)]
      const atHome = tables.filter((table) => homeTables.has(table))
      if (tables.length === 0) return []
      const transaction = source.text.slice(0, start).match(/\btx: (\w+)(?![\s\S]*\btx: \w)/)?.[1]
      if (atHome.length > 0 && transaction !== 'HomeTx')
        return [`${at} writes or locks ${atHome.join(', ')}, but not in a HomeTx`]
      return atHome.length === 0 && transaction === 'HomeTx'
        ? [`${at} writes or locks ${tables.join(', ')}, which is not a table of home, in a HomeTx`]
        : []
    })
    return [...described, ...written]
  })
}

/** Returns the tables whose rows a statement locks. */
const lockedIn = (sql: string): string[] =>
  /\bfor (?:update|no key update|share|key share)\b/.test(sql)
    ? [...sql.matchAll(/\bfrom (\w+)/g)].map(([, table]) => table!)
    : []
