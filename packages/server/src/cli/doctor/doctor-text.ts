import { dim, painted, type Stream } from '../output/colour.ts'
import { widthOf } from '../output/table.ts'
import type { CheckedHealth, FindingStatus } from './checkup.ts'

const statusWidth = 'problem'.length
const gap = '  '

/** Returns one line per check, each followed by its fix if there is one, and then a summary. */
export function describeCheckup(checks: CheckedHealth[], stream: Stream): string {
  const nameWidth = Math.max(...checks.map(({ check }) => widthOf(check)))
  const indent = ' '.repeat(statusWidth + nameWidth + 2 * gap.length)
  const width = stream.isTTY && stream.columns ? Math.max(stream.columns - indent.length, 20) : undefined
  const lines = checks.flatMap(({ check, status, says, todo }) => {
    const [first = '', ...more] = wrapped(says, width)
    return [
      `${painted(status.padEnd(statusWidth), stream)}${gap}${check.padEnd(nameWidth)}${gap}${first}`,
      ...more.map((line) => indent + line),
      ...(todo === null ? [] : wrapped(`→ ${todo}`, width).map((line) => indent + dim(line, stream))),
    ]
  })
  return `${[...lines, '', summaryOf(checks)].join('\n')}\n`
}

function summaryOf(checks: CheckedHealth[]): string {
  const count = (status: FindingStatus) => checks.filter((each) => each.status === status).length
  const some = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`
  const skipped = count('skipped')
  return [
    some(count('problem'), 'problem'),
    some(count('warning'), 'warning'),
    `${count('ok')} ok`,
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ].join(', ')
}

/** Wraps text at word boundaries. */
function wrapped(text: string, width: number | undefined): string[] {
  if (width === undefined) return [text]
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1) ?? ''} ${word}`
    if (lines.length > 0 && widthOf(longer) <= width) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}
