import { writeFileSync } from 'node:fs'
import { asMarkdown, type ConformanceReport } from '@pesewa/connector-kit/conformance'
import { messageOf } from '@pesewa/values'
import { CommandError } from '../command.ts'

/**
 * Writes the report to `<path>.md` and `<path>.json`. Called after each case, so that partial results are not
 * lost.
 *
 * @throws CommandError if a file cannot be written
 */
export function writeReport(path: string, report: ConformanceReport): void {
  try {
    writeFileSync(`${path}.json`, `${JSON.stringify(report)}\n`)
    writeFileSync(`${path}.md`, asMarkdown(report))
  } catch (error) {
    throw new CommandError(`Cannot write the report: ${messageOf(error)}.`)
  }
}
