import { lineAt, type Source } from './sources.ts'

/** A sql`…` template with its nested fragments, and the comment lines just before it. */
export type Statement = { at: string; sql: string; before: string; start: number; end: number }

const commentReach = 3

/** Returns every statement of a file. A sql`…` inside the `${…}` of another belongs to the outer one. */
export function statementsOf({ path, text }: Source): Statement[] {
  const statements: Statement[] = []
  for (let end = 0; ; ) {
    const start = text.indexOf('sql`', end)
    if (start < 0) return statements
    const before = text
      .slice(end, start)
      .split('\n')
      .slice(-commentReach - 1)
      .join('\n')
    const template = readTemplate(text, start + 'sql`'.length)
    statements.push({ at: `${path}:${lineAt(text, start)}`, before, start, ...template })
    end = template.end
  }
}

/** Returns a file with its statements blanked out; line numbers stay the same. */
export function withoutStatements(source: Source): Source {
  const text = statementsOf(source).reduceRight(
    (rest, { start, end }) =>
      rest.slice(0, start) + rest.slice(start, end).replace(/[^\n]/g, ' ') + rest.slice(end),
    source.text,
  )
  return { ...source, text }
}

/** Returns the statements in functions that a migration creates. */
export function functionStatementsOf({ path, text }: Source): { at: string; sql: string }[] {
  return [...text.matchAll(/\$\$([\s\S]*?)\$\$/g)].flatMap((body) =>
    [...body[1]!.matchAll(/\S(?:(?!;|\bbegin\b)[\s\S])*/g)].map(({ 0: sql, index }) => ({
      at: `${path}:${lineAt(text, body.index + 2 + index)}`,
      sql,
    })),
  )
}

/**
 * Reads a template, given the position after its opening backtick. `end` is the position after its closing
 * backtick. Values become `?`.
 */
function readTemplate(text: string, start: number): { sql: string; end: number } {
  let sql = ''
  for (let i = start; i < text.length; i++) {
    if (text[i] === '`') return { sql, end: i + 1 }
    if (text[i] === '\\') i++
    else if (text.startsWith('${', i)) {
      const value = readValue(text, i + 2)
      sql += value.sql || '?'
      i = value.end - 1
    } else sql += text[i]
  }
  throw new Error('unterminated template')
}

/**
 * Reads a `${…}`, given the position after its opening brace, and returns the SQL templates in it. `end` is the
 * position after its closing brace.
 */
function readValue(text: string, start: number): { sql: string; end: number } {
  let sql = ''
  let depth = 1
  for (let i = start; i < text.length; i++) {
    const character = text[i]
    if (character === '`') {
      const template = readTemplate(text, i + 1)
      if (text.slice(0, i).endsWith('sql')) sql += ` ${template.sql} `
      i = template.end - 1
    } else if (character === "'" || character === '"') i = text.indexOf(character, i + 1)
    else if (character === '{') depth++
    else if (character === '}' && --depth === 0) return { sql, end: i + 1 }
  }
  throw new Error('unterminated value')
}
