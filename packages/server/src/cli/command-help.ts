import type { Command } from 'commander'
import { examples } from './examples.ts'

const guide = `Exit codes: 0 for success; 1 if the command was refused, failed or found a problem; reconcile and rail-test also use 2.
Details: pesewa help <command>, and docs/reference/commands.md`

/** Adds `pesewa help …` for commands at any depth, and examples to each command's help. */
export function addHelp(program: Command): void {
  program
    .helpCommand(false)
    .command('help')
    .description('print help for a command')
    .argument('[command...]', 'for example: spaces create')
    .action((names: string[]) => commandAt(program, names).help())
  program.addHelpText('after', `\n${guide}`)
  for (const { command, path } of withPaths(program)) {
    // The list of commands shows only the summary. A command's own help also shows its exit codes.
    const [summary = '', more] = command.description().split(/: |; /, 2)
    if (more !== undefined) command.summary(summary)
    command.configureHelp({
      commandDescription: () => sentence(command.description()),
      subcommandTerm: (each) => each.name(),
    })
    if (command.commands.length > 0 && command !== program) command.helpCommand(false)
    const own = examplesOf(path)
    if (own.length > 0)
      command.addHelpText('after', `\nExamples:\n${own.map((line) => `  ${line}`).join('\n')}`)
  }
}

/** Formats a command's description as a sentence, with a capital letter and a full stop. */
export const sentence = (about: string): string =>
  about === '' ? '' : `${about[0]?.toUpperCase()}${about.slice(1).replace(/\.$/, '')}.`

/** A command and the names that lead to it, such as `spaces` and `create`. */
export type PlacedCommand = { command: Command; path: string[] }

/** Lists a command and all its subcommands, each with its path. */
export const withPaths = (command: Command, path: string[] = []): PlacedCommand[] => [
  { command, path },
  ...command.commands.flatMap((each) => withPaths(each, [...path, each.name()])),
]

/** Returns the example command lines that are shown in the help of the command at this path. */
export const examplesOf = (path: string[]): string[] => examples[path.join(' ')] ?? []

function commandAt(program: Command, names: string[]): Command {
  return names.reduce((command, name) => {
    const below = command.commands.find((each) => each.name() === name || each.aliases().includes(name))
    return below ?? command.error(`error: unknown command '${name}'`, { code: 'commander.unknownCommand' })
  }, program)
}
