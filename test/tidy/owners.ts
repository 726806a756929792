import { slices } from '../../packages/server/src/slices.ts'

// Which slice owns which parts of packages/server/schema.sql. Only that slice may write them; that slice and later ones may
// name them.

type Owned = Record<string, string[]>

export const homeTables = new Set(slices.flatMap((slice) => slice.homeTables ?? []))
export const ownedTables: Owned = Object.fromEntries(
  slices.map((slice) => [slice.folder, [...(slice.tables ?? []), ...(slice.homeTables ?? [])]]),
)
export const ownedFunctions: Owned = Object.fromEntries(
  slices.map(({ folder, functions = [] }) => [folder, functions]),
)

/**
 * Object types that rows of other tables contain. A statement that distinguishes such types depends on the
 * slice that owns them.
 */
export const objectTypes: Owned = Object.fromEntries(
  slices.map(({ folder, resources = [] }) => [folder, resources.map(({ type }) => type)]),
)

/** Other slices that write a table, with the reason. */
export const otherWriters: Record<string, string> = {
  'finance/books writes carried_balances':
    'a balance is carried with the digest of the ranges that it stands for',
  'finance/books writes unchained': 'chain_books deletes the marks of lines that it has chained',
}
