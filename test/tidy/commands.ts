import type { Command } from 'commander'
import type { Page } from './documents.ts'
import { lineAt } from './sources.ts'

/** A `pesewa …` command in a document: in a code block, an indented line or a sentence. */
export type TypedCommand = { at: string; text: string; isWhole: boolean }

export function commandsIn({ path, text }: Page): TypedCommand[] {
  const lines = [...text.matchAll(/^ *(?:npm run -s pesewa --|pesewa) ((?:.*\\\n)*.*)$/gm)].filter(
    ({ index }) => isCode(text, index),
  )
  const words = [...text.matchAll(/`(?:npm run -s pesewa --|pesewa) ([^`\n]+)`/g)]
  return [
    ...lines.map(({ 1: typed, index }) => ({ index, text: typed!, isWhole: true })),
    ...words.map(({ 1: typed, index }) => ({ index, text: typed!, isWhole: false })),
  ].map(({ index, ...command }) => ({ at: `${path}:${lineAt(text, index)}`, ...command }))
}

/** Whether a position is in a code block or in a line indented by four spaces. */
function isCode(text: string, index: number): boolean {
  const fences = text.slice(0, index).match(/^ *```/gm)?.length ?? 0
  return fences % 2 === 1 || text.startsWith('    ', index)
}

/** Returns an error for each command, option and number of arguments that the program does not support. */
export function commandIssues({ at, text, isWhole }: TypedCommand, program: Command): string[] {
  const words = wordsOf(text)
  let command = program
  for (;;) {
    const inner = command.commands.find((each) => each.name() === words[0])
    if (!inner) break
    command = inner
    words.shift()
  }
  const name = fullName(command)
  if (command === program)
    return words[0]?.startsWith('-') || words[0] === '…' ? [] : [`${at} ${words[0]} is not a command`]
  const issues: string[] = []
  const named = new Set<string>()
  let args = 0
  while (words.length > 0) {
    const word = words.shift()!
    if (!word.startsWith('--')) {
      args++
      continue
    }
    const [flag, value] = word.split('=', 2) as [string, string?]
    const option = command.options.find(({ long }) => long === flag)
    if (flag === '--help') continue
    if (!option) {
      issues.push(`${at} ${name} has no ${flag}`)
      continue
    }
    named.add(flag)
    if ((option.required || option.optional) && value === undefined && words[0]?.startsWith('--') !== true)
      words.shift()
  }
  if (command.commands.length > 0 && command.options.length === 0 && args > 0)
    issues.push(`${at} ${name} has no such command`)
  if (!isWhole || text.includes('--help')) return issues
  const most = command.registeredArguments.some(({ variadic }) => variadic)
    ? Infinity
    : command.registeredArguments.length
  const least = command.registeredArguments.filter(({ required }) => required).length
  if (args < least || args > most)
    issues.push(`${at} ${name} takes ${least} to ${most} arguments, not ${args}`)
  for (const { long, mandatory } of command.options)
    if (mandatory && !named.has(long!)) issues.push(`${at} ${name} needs ${long}`)
  return issues
}

const fullName = (command: Command): string =>
  command.parent ? `${fullName(command.parent)} ${command.name()}` : command.name()

/**
 * Splits a command into words as a shell does, as far as the documents need it: with quotes, up to a comment, a
 * redirection or another command.
 */
function wordsOf(text: string): string[] {
  const words = text.replaceAll('\\\n', ' ').match(/'[^']*'|"[^"]*"|[^\s'"]+(?:'[^']*'|"[^"]*")?/g) ?? []
  const end = words.findIndex((word) => /^[#|>;&]/.test(word))
  return end < 0 ? words : words.slice(0, end)
}
