/**
 * What a statement leaves open about whose rows it touches, or `undefined` when nothing. `tables` are those that are
 * keyed by Space and environment. It reads words, not SQL: what it lets pass may be wrong, what it names rarely is.
 */
export function scopeFault(sql: string, tables: Set<string>, isProof = false): string | undefined {
  const words = sql.match(/\w+/g) ?? []
  const touched = words.filter((word) => tables.has(word))
  // A table's name alone is a part of a statement that stands elsewhere.
  if (touched.length === 0 || words.length === 1) return undefined
  for (const name of ['space_id', 'environment'])
    if (words.filter((word) => word === name).length < touched.length)
      return `names ${name} less often than tables (${touched.join(', ')})`
  const loose = joinsOf(sql).find(({ table, on }) => tables.has(table) && !namesBoth(on))
  if (loose) return `joins ${loose.table} without Space and environment`
  // A proof goes over all Spaces; everything else serves the one that it was given.
  return isProof || bindsScope(sql, tables) ? undefined : 'compares Space and environment with no value'
}

const namesBoth = (text: string) => /\bspace_id\b/.test(text) && /\benvironment\b/.test(text)

/** Every joined table with what follows it, up to the next clause. */
function joinsOf(sql: string): { table: string; on: string }[] {
  const join = /\bjoin\s+(\w+)([\s\S]*?)(?=\b(?:join|where|group|order|limit|union|returning|select)\b|$)/gi
  return [...sql.matchAll(join)].map(([, table, on]) => ({ table: table!, on: on! }))
}

/**
 * `where space_id = ? and environment = ?`, the same with the columns of rows that were given, or an insert that lists
 * both. A function's parameters begin with `p_`; `requested` is the row of one of many keys.
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
