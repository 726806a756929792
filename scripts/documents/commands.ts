import type { Argument, Command, Option } from 'commander'
import { commands } from '../../src/cli/command-line.ts'
import { code, page, plain, table, writtenByCode } from './markdown.ts'

/** `docs/reference/commands.md` */
export function writeCommands(): string {
  return page(
    writtenByCode('src/cli/command-line.ts, src/cli/operator/commands.ts and src/cli/developer/commands.ts'),
    '# Commands',
    'The exit code is 0 when all was done, and 1 when it was refused, failed, or found differences; `pesewa reconcile` and its commands have a 2 beside that. In a clone `pesewa` is `npm run -s pesewa --`.',
    ...leavesOf(commands(), []).flatMap(describe),
  )
}

type Leaf = { path: string[]; command: Command }

const leavesOf = (command: Command, before: string[]): Leaf[] => {
  const path = [...before, command.name()]
  // A group with options does something by itself.
  const own = command.commands.length === 0 || command.options.length > 0 ? [{ path, command }] : []
  return [...own, ...command.commands.flatMap((inner) => leavesOf(inner, path))]
}

function describe({ path, command }: Leaf): string[] {
  const words = [...path, ...command.registeredArguments.map(shown)]
  const about = command.description() || command.parent!.description()
  const rows = command.options.map((option) => [
    code(option.flags),
    option.mandatory ? 'yes' : '',
    aboutOf(option),
  ])
  return [
    `## ${code(words.join(' '))}`,
    plain(`${about[0]!.toUpperCase()}${about.slice(1)}.`),
    ...(rows.length > 0 ? [table(['Option', 'Required', 'What it is for'], rows)] : []),
  ]
}

function shown(argument: Argument): string {
  const name = argument.variadic ? `${argument.name()}...` : argument.name()
  return argument.required ? `<${name}>` : `[${name}]`
}

function aboutOf({ description, defaultValue, defaultValueDescription, envVar }: Option): string {
  const isTold = typeof defaultValue === 'string' || Array.isArray(defaultValue)
  const byDefault = defaultValueDescription ?? (isTold ? String(defaultValue) : undefined)
  return [
    plain(description),
    ...(byDefault === undefined ? [] : [`default ${code(byDefault)}`]),
    ...(envVar ? [`or the variable ${code(envVar)}`] : []),
  ]
    .filter((text) => text !== '')
    .join('; ')
}
