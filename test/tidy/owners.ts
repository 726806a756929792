import { slices } from '../../src/slices.ts'

// What of schema.sql belongs to which slice: the slice writes it, and it and later ones may name it.

type Owned = Record<string, string[]>

export const ownedTables: Owned = Object.fromEntries(slices.map(({ name, tables = [] }) => [name, tables]))
export const ownedFunctions: Owned = Object.fromEntries(
  slices.map(({ name, functions = [] }) => [name, functions]),
)

/** The types of objects, as rows of other tables name them: a statement that tells them apart knows their slice. */
export const objectTypes: Owned = Object.fromEntries(
  slices.map(({ name, resources = [] }) => [name, resources.map(({ type }) => type)]),
)

/** Who else writes a table, and why. */
export const otherWriters: Record<string, string> = {
  'books writes unchained': 'chain_books takes away the marks of what it has chained',
}
