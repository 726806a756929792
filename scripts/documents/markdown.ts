/** The line that tells a reader of a Markdown file not to edit it. */
export const writtenByCode = (from: string) =>
  `<!-- Written by \`npm run write\` from ${from}: edit that instead. -->`

/** A Markdown table. Cells are Markdown already; a bar in one is escaped. */
export function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** Text in which nothing is meant as HTML. */
export const plain = (text: string) => text.replaceAll('<', '&lt;')

export const code = (text: string) => `\`${text}\``

/** Blocks with an empty line between, and one newline at the end. */
export const page = (...blocks: (string | undefined)[]) =>
  `${blocks.filter((block) => block !== undefined).join('\n\n')}\n`
