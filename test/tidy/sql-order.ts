import { foldersInOrder, sliceOf } from '../../scripts/documents/folders.ts'
import { objectTypes, otherWriters, ownedFunctions, ownedTables } from './owners.ts'
import { findIn, lineAt, type Source } from './sources.ts'
import { statementsOf } from './statements.ts'

const ownership: Ownership = {
  order: foldersInOrder().toSpliced(-1, 0, 'wiring'),
  ownedTables,
  ownedFunctions,
  objectTypes,
  otherWriters,
}

/**
 * Returns SQL statements, in the program and in packages/server/schema.sql, that name or write something that their slice may
 * not.
 */
export function sqlOutOfOrder(program: Source[], schema: Definition[]): string[] {
  const inCode = program.flatMap((source) => {
    const slice = sliceOf(source.path) ?? 'wiring'
    return [...statementsOf(source), ...describedIn(source)].map(({ at, sql }) => ({ at, sql, slice }))
  })
  const placed = schema.map((one) => ({ ...one, slice: ownerOf(one) ?? '' }))
  return [
    ...sqlOrderIssues([...inCode, ...placed.filter(({ isFunction }) => isFunction)], ownership),
    // A constraint may list the types of objects of all slices.
    ...sqlOrderIssues(
      placed.filter(({ isFunction }) => !isFunction),
      { ...ownership, objectTypes: {} },
    ),
  ]
}

/**
 * Returns an insert statement for each table that a file describes, because describing a table allows writing
 * it.
 */
export const describedIn = (source: Source) =>
  findIn(source, /\btable\(\s*'(\w+)'/g).map(({ at, match }) => ({ at, sql: `insert into ${match[1]}` }))

/**
 * Returns definitions in packages/server/schema.sql that no slice owns, names that a slice owns but that are not defined, and
 * names that two slices own.
 */
export function ownerIssues(schema: Definition[]): string[] {
  const owned = [ownedTables, ownedFunctions].flatMap((each) => Object.values(each).flat())
  const defined = new Set(schema.map(({ name }) => name))
  return [
    ...schema.filter((one) => !ownerOf(one)).map(({ at, name }) => `${at} ${name} belongs to no slice`),
    ...owned
      .filter((name) => !defined.has(name))
      .map((name) => `${name} is not defined, but a slice owns it`),
    ...owned.filter((name, i) => owned.indexOf(name) !== i).map((name) => `${name} belongs to two slices`),
  ]
}

const ownerOf = ({ name, isFunction }: Definition) =>
  Object.entries(isFunction ? ownedFunctions : ownedTables).find(([, names]) => names.includes(name))?.[0]

/** A statement, and the slice that contains or owns it. */
export type PlacedStatement = { at: string; slice: string; sql: string }

type Owned = Record<string, string[]>
export type Ownership = {
  /** Slices, earlier ones first. */
  order: string[]
  /** The names that belong to each slice. */
  ownedTables: Owned
  ownedFunctions: Owned
  objectTypes: Owned
  /** `<slice> writes <table>`, and the reason. */
  otherWriters: Record<string, string>
}

/**
 * Returns statements that name something owned by a later slice, or write something owned by another slice. The
 * check looks at words and does not parse SQL.
 */
export function sqlOrderIssues(statements: PlacedStatement[], ownership: Ownership): string[] {
  const { order, otherWriters } = ownership
  const tables = ownersIn(ownership.ownedTables)
  const functions = ownersIn(ownership.ownedFunctions)
  const types = ownersIn(ownership.objectTypes)
  const nameIn = (names: Map<string, string>, name: string, shown = name) => {
    const owner = names.get(name)
    return owner === undefined ? [] : [{ shown, owner }]
  }
  return statements.flatMap(({ at, slice, sql }) => {
    const { words, called, literals } = wordsOf(sql)
    const named = [
      ...[...words, ...literals].flatMap((word) => nameIn(tables, word)),
      ...called.flatMap((word) => nameIn(functions, word)),
      ...literals.flatMap((text) => nameIn(types, text, `'${text}'`)),
    ]
    const written = writtenIn(sql).flatMap((table) => nameIn(tables, table))
    return [
      ...named
        .filter(({ owner }) => order.indexOf(owner) > order.indexOf(slice))
        .map(({ shown, owner }) => `${at} names ${shown} of ${owner}, which comes after ${slice}`),
      ...written
        .filter(({ shown, owner }) => owner !== slice && !otherWriters[`${slice} writes ${shown}`])
        .map(({ shown, owner }) => `${at} writes ${shown}, which belongs to ${owner}`),
    ]
  })
}

const ownersIn = (owned: Owned): Map<string, string> =>
  new Map(Object.entries(owned).flatMap(([slice, names]) => names.map((name) => [name, slice] as const)))

/**
 * Returns the distinct words, called functions and literals of a statement. Columns after a period do not count
 * as words.
 */
function wordsOf(sql: string): { words: string[]; called: string[]; literals: string[] } {
  const code = sql.replace(/--.*$/gm, '').replace(/\bpublic\./g, '')
  const bare = code.replace(/'[^']*'/g, "''")
  return {
    words: foundIn(bare, /(?<![.\w])(\w+)/g),
    called: foundIn(bare, /(?<![.\w])(\w+)\s*\(/g),
    literals: foundIn(code, /'([^']*)'/g),
  }
}

export const writtenIn = (sql: string) =>
  foundIn(sql, /\b(?:insert\s+into|delete\s+from|update|truncate)\s+(\w+)/gi)

const foundIn = (text: string, pattern: RegExp): string[] => [
  ...new Set([...text.matchAll(pattern)].map(([, word]) => word!)),
]

export type Definition = { at: string; name: string; isFunction: boolean; sql: string }

/**
 * Returns the definitions in packages/server/schema.sql: functions, and tables and sequences with their indexes, foreign keys
 * and triggers.
 */
export function definitionsOf({ path, text }: Source): Definition[] {
  const functionForm =
    /^CREATE OR REPLACE (?:FUNCTION|PROCEDURE) public\.(\w+)[\s\S]*?\$(?:function|procedure)\$;$/gm
  const tableForm =
    /^(?:create (?:table|sequence)|alter table|CREATE (?:UNIQUE )?INDEX \w+ ON|CREATE TRIGGER .* ON) (?:public\.)?(\w+)[\s\S]*?;$/gm
  const found = (form: RegExp, source: string, isFunction: boolean): Definition[] =>
    [...source.matchAll(form)]
      .filter(([sql]) => !/^create table \w+ partition of/.test(sql))
      .map((match) => ({
        at: `${path}:${lineAt(source, match.index)}`,
        // Indexes and triggers of a partition belong to its table.
        name: match[1]!.replace(/_after$/, ''),
        isFunction,
        sql: match[0],
      }))
  const withoutFunctions = text.replace(functionForm, (body) => body.replace(/[^\n]/g, ' '))
  return [...found(functionForm, text, true), ...found(tableForm, withoutFunctions, false)]
}
