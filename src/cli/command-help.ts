import type { Command } from 'commander'
import { examples } from './examples.ts'

const guide = `Exit codes: 0 done; 1 refused, failed, or something is wrong; reconcile and rail-test have a 2.
Everything about each: pesewa help <command>, and docs/reference/commands.md`

/** Adds `pesewa help …` for commands of any depth, and an example or two to the help of each. */
export function addHelp(program: Command): void {
  program
    .helpCommand(false)
    .command('help')
    .description('print help for a command')
    .argument('[command...]', 'like spaces create')
    .action((names: string[]) => commandAt(program, names).help())
  program.addHelpText('after', `\n${guide}`)
  for (const { command, path } of withPaths(program)) {
    // In the list of commands, what it does; how it ends stands in its own help.
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

/** A description as a sentence. */
export const sentence = (about: string): string =>
  about === '' ? '' : `${about[0]?.toUpperCase()}${about.slice(1).replace(/\.$/, '')}.`

/** A command, and the words that lead to it. */
export type PlacedCommand = { command: Command; path: string[] }

/** A command and all below it. */
export const withPaths = (command: Command, path: string[] = []): PlacedCommand[] => [
  { command, path },
  ...command.commands.flatMap((each) => withPaths(each, [...path, each.name()])),
]

/** What its help shows: a line of a shell each. */
export const examplesOf = (path: string[]): string[] => examples[path.join(' ')] ?? []

function commandAt(program: Command, names: string[]): Command {
  return names.reduce((command, name) => {
    const below = command.commands.find((each) => each.name() === name || each.aliases().includes(name))
    return below ?? command.error(`error: unknown command '${name}'`, { code: 'commander.unknownCommand' })
  }, program)
}
