import type { Argument, Command, Option } from 'commander'
import { examplesOf, sentence } from '../../packages/server/src/cli/command-help.ts'
import { commands } from '../../packages/server/src/cli/command-line.ts'
import { code, page, plain, table, writtenByCode } from './markdown.ts'

/** Writes `docs/reference/commands.md`. */
export function writeCommands(): string {
  return page(
    writtenByCode(
      'packages/server/src/cli/command-line.ts, the command files below it and packages/server/src/cli/examples.ts',
    ),
    '# Commands',
    'In a clone, run `npm run -s pesewa --` instead of `pesewa`. `pesewa help <command>` prints the same information.',
    table(
      ['Exit code', 'Meaning'],
      [
        ['0', 'success; for `verify`, `reconcile`, `rail-test` and `doctor`: no problems found'],
        ['1', 'refused or failed, with one line on standard error; or a check found problems'],
        ['2', '`reconcile` and its subcommands, and `rail-test`: could not start or finish'],
        ['130, 143', 'interrupted by SIGINT or SIGTERM: uncommitted changes are rolled back'],
      ],
    ),
    'With `--json`, a command prints one JSON object with the names and numbers of the API: amounts as `{currency, value}` in minor units, whole numbers of any size, times in RFC 3339. Scripts should use it. Tables and sentences are for people and may change. Output is coloured only on a terminal; `--no-color`, accepted anywhere, and `NO_COLOR` turn colour off, `FORCE_COLOR` turns it on. On a terminal, commands that cannot be undone ask for confirmation, unless `--yes` is given.',
    ...leavesOf(commands(), []).flatMap(describe),
  )
}

type Leaf = { path: string[]; command: Command }

const leavesOf = (command: Command, before: string[]): Leaf[] => {
  const path = [...before, command.name()]
  // A group with options is also a command itself.
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
    plain(sentence(about)),
    ...(examplesOf(path.slice(1)).length > 0
      ? [`\`\`\`sh\n${examplesOf(path.slice(1)).join('\n')}\n\`\`\``]
      : []),
    ...(rows.length > 0 ? [table(['Option', 'Required', 'Description'], rows)] : []),
  ]
}

function shown(argument: Argument): string {
  const name = argument.variadic ? `${argument.name()}...` : argument.name()
  return argument.required ? `<${name}>` : `[${name}]`
}

function aboutOf({ description, defaultValue, defaultValueDescription, envVar }: Option): string {
  const isShown = typeof defaultValue === 'string' || Array.isArray(defaultValue)
  const byDefault = defaultValueDescription ?? (isShown ? String(defaultValue) : undefined)
  return [
    plain(description),
    ...(byDefault === undefined ? [] : [`default ${code(byDefault)}`]),
    ...(envVar ? [`or the variable ${code(envVar)}`] : []),
  ]
    .filter((text) => text !== '')
    .join('; ')
}
