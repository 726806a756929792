/**
 * Returns why a statement may touch rows of more than one Space, or `undefined` if it cannot. `tables` are the
 * tables keyed by Space and environment. The check looks at words and does not parse SQL: it may miss an error,
 * but it rarely reports a false one.
 */
export function scopeIssue(sql: string, tables: Set<string>, isProof = false): string | undefined {
  const words = sql.match(/\w+/g) ?? []
  const touched = words.filter((word) => tables.has(word))
  // A lone table name is a fragment of a statement that is written elsewhere.
  if (touched.length === 0 || words.length === 1) return undefined
  for (const name of ['space_id', 'environment'])
    if (words.filter((word) => word === name).length < touched.length)
      return `names ${name} less often than its tables (${touched.join(', ')})`
  const loose = joinsOf(sql).find(({ table, on }) => tables.has(table) && !namesBoth(on))
  if (loose) return `joins ${loose.table} without Space and environment`
  // A proof covers all Spaces; everything else is for a given one.
  return isProof || bindsScope(sql, tables)
    ? undefined
    : 'does not compare Space and environment with a value'
}

const namesBoth = (text: string) => /\bspace_id\b/.test(text) && /\benvironment\b/.test(text)

/** Returns every joined table with the text up to the next clause. */
function joinsOf(sql: string): { table: string; on: string }[] {
  const join = /\bjoin\s+(\w+)([\s\S]*?)(?=\b(?:join|where|group|order|limit|union|returning|select)\b|$)/gi
  return [...sql.matchAll(join)].map(([, table, on]) => ({ table: table!, on: on! }))
}

/**
 * Whether a statement has `where space_id = ? and environment = ?`, compares both with the columns of given
 * rows, or inserts both. A function's parameters begin with `p_`; `requested` is a row of the keys in a batch.
 */
function bindsScope(sql: string, tables: Set<string>): boolean {
  const isCompared =
    /\bspace_id = (?:\?|p_|requested\.)/.test(sql) &&
    /\benvironment = (?:\?|p_|requested\.|'(?:test|live)')/.test(sql)
  if (isCompared) return true
  const givenRows = [...sql.matchAll(/\bas (\w+) \(space_id, environment\b/g)]
  if (
    givenRows.some(
      ([, row]) =>
        sql.includes(`space_id = ${row}.space_id`) && sql.includes(`environment = ${row}.environment`),
    )
  )
    return true
  const inserted = [...sql.matchAll(/\binsert into (\w+)(?: as \w+)? \(space_id, environment\b/g)]
  return inserted.some(([, table]) => tables.has(table!))
}
