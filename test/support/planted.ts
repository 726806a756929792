import type pg from 'pg'

/** Where planted text was found: `table.column`, and the planted texts. */
export type Finding = Map<string, Set<string>>

/** Returns the forms in which a text may be stored: as it is, in hexadecimal, in base64 at any offset, escaped. */
export function formsOf(text: string): string[] {
  const bytes = Buffer.from(text)
  const base64 = [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    // The first and the last characters also depend on the neighbouring bytes.
    const inner = encoded.slice(offset === 0 ? 0 : offset + 1, -1)
    return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')]
  })
  return [...new Set([text, bytes.toString('hex'), ...base64, encodeURIComponent(text), escaped(text)])]
}

const escaped = (text: string) =>
  [...text].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')

/** Returns the planted texts that a text contains, in any form. */
export const foundIn = (text: string, planted: readonly string[]): string[] =>
  planted.filter((each) => formsOf(each).some((form) => text.includes(form)))

/** Searches every value of every column of every table. */
export async function searchTables(pool: pg.Pool, planted: readonly string[]): Promise<Finding> {
  const { rows: columns } = await pool.query<{ table: string; name: string }>(
    `select relname as table, quote_ident(attname) as name from pg_attribute
     join pg_class on attrelid = pg_class.oid
     where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped`,
  )
  const found: Finding = new Map()
  for (const [table, ofTable] of Map.groupBy(columns, (column) => column.table)) {
    const { rows } = await pool.query({
      text: `select ${ofTable.map(({ name }) => `${name}::text`)} from ${table}`,
      rowMode: 'array',
    })
    for (const row of rows as (string | null)[][])
      row.forEach((value, i) => {
        for (const each of value === null ? [] : foundIn(value, planted)) {
          const name = `${table}.${ofTable[i]?.name}`
          found.set(name, (found.get(name) ?? new Set()).add(each))
        }
      })
  }
  return found
}
