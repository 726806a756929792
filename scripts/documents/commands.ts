import type { Argument, Command, Option } from 'commander'
import { examplesOf, sentence } from '../../src/cli/command-help.ts'
import { commands } from '../../src/cli/command-line.ts'
import { code, page, plain, table, writtenByCode } from './markdown.ts'

/** `docs/reference/commands.md` */
export function writeCommands(): string {
  return page(
    writtenByCode('src/cli/command-line.ts, the files of commands below it and src/cli/examples.ts'),
    '# Commands',
    'In a clone `pesewa` is `npm run -s pesewa --`. `pesewa help <command>` prints what stands here.',
    table(
      ['Exit code', 'What it says'],
      [
        ['0', 'done; of `verify`, `reconcile`, `rail-test` and `doctor`: all is well'],
        [
          '1',
          'refused, or failed, in a line on standard error; or what was to be proved or checked does not hold',
        ],
        ['2', 'of `reconcile` and its commands, and of `rail-test`: it could not run, or not to its end'],
        ['130, 143', 'ended by Ctrl-C or SIGTERM: what was not committed is undone'],
      ],
    ),
    'With `--json` a command prints one JSON object, with the names and numbers of the API: amounts as `{currency, value}` in minor units, whole numbers of any size, times in RFC 3339. That is what programs should read. Tables and sentences are for people and may change ([decision 187](../decisions/0187-what-commands-print.md)). They have colour on a terminal only; `--no-color`, which may stand anywhere, and `NO_COLOR` turn it off, `FORCE_COLOR` on. What cannot be undone is asked for on a terminal, unless there is `--yes`.',
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
    plain(sentence(about)),
    ...(examplesOf(path.slice(1)).length > 0
      ? [`\`\`\`sh\n${examplesOf(path.slice(1)).join('\n')}\n\`\`\``]
      : []),
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
