import type { Command, Option } from 'commander'
import { type PlacedCommand, withPaths } from './command-help.ts'

export type Shell = 'bash' | 'zsh' | 'fish'

/** Writes a shell's completion script. The script never runs pesewa: start-up is too slow for tab completion. */
export const completionFor = (shell: Shell, program: Command): string =>
  writers[shell](withPaths(program).map(completionPoint))

/** The completions at one path: commands, options, and the values of options with choices. */
type CompletionPoint = {
  path: string
  commands: { name: string; about: string }[]
  options: { flags: string[]; about: string; takesValue: boolean; values: readonly string[] }[]
}

const completionPoint = ({ command, path }: PlacedCommand): CompletionPoint => ({
  path: path.join(' '),
  commands: [
    ...command.commands.map((each) => ({ name: each.name(), about: each.description() })),
    ...command.registeredArguments.flatMap(({ argChoices = [] }) =>
      argChoices.map((name) => ({ name, about: '' })),
    ),
  ],
  options: [...command.options, help].map(({ long, short, description, required, optional, argChoices }) => ({
    flags: [long, short].flatMap((flag) => flag ?? []),
    about: description,
    takesValue: required || optional,
    values: argChoices ?? [],
  })),
})

const help: Pick<Option, 'long' | 'short' | 'description' | 'required' | 'optional' | 'argChoices'> = {
  long: '--help',
  short: '-h',
  description: 'print help',
  required: false,
  optional: false,
}

const writers: Record<Shell, (places: CompletionPoint[]) => string> = { bash, zsh, fish }

const completionWords = ({ commands, options }: CompletionPoint) => [
  ...commands.map(({ name }) => name),
  ...options.flatMap(({ flags }) => flags.filter((flag) => flag.startsWith('--'))),
]

const optionsWithValues = (places: CompletionPoint[]) =>
  places.flatMap(({ path, options }) =>
    options.flatMap(({ flags, values, takesValue }) =>
      takesValue ? flags.map((flag) => ({ at: `${path} ${flag}`, values })) : [],
    ),
  )

/** The commands that have subcommands or options. `help` completes the same paths as the root. */
const commandPaths = (places: CompletionPoint[]) =>
  places.map(({ path }) => path).filter((path) => path !== '' && path !== 'help')

/** Shell code that finds the command path before the word being completed. */
const pathFinder = (places: CompletionPoint[]) => {
  const steps = commandPaths(places).map(quoted).join('|')
  return `case "\${path:+$path }$word" in ${steps}) path="\${path:+$path }$word" ;; esac`
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

function bash(places: CompletionPoint[]): string {
  return `# bash completion of pesewa: written by pesewa completion bash
_pesewa() {
  local path='' word words='' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    ${pathFinder(places)}
  done
  case "$path \${COMP_WORDS[COMP_CWORD-1]}" in
${optionsWithValues(places)
  .map(({ at, values }) => `    ${quoted(at)}) words=${quoted(values.join(' '))}; path='-' ;;`)
  .join('\n')}
  esac
  case "$path" in
${places.map((place) => `    ${quoted(place.path)}) words=${quoted(completionWords(place).join(' '))} ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _pesewa pesewa
`
}

function zsh(places: CompletionPoint[]): string {
  const described = (name: string, about: string) =>
    quoted(`${name.replaceAll(':', '\\:')}:${firstClause(about)}`)
  const entriesOf = ({ commands, options }: CompletionPoint) =>
    [
      ...commands.map(({ name, about }) => described(name, about)),
      ...options.flatMap(({ flags, about }) =>
        flags.filter((flag) => flag.startsWith('--')).map((flag) => described(flag, about)),
      ),
    ].join(' ')
  return `#compdef pesewa
# zsh completion of pesewa: written by pesewa completion zsh
_pesewa() {
  local path_of='' word i
  local -a entries
  for ((i = 2; i < CURRENT; i++)); do
    word=\${words[i]}
    ${pathFinder(places).replaceAll('path', 'path_of')}
  done
  case "$path_of \${words[CURRENT-1]}" in
${optionsWithValues(places)
  .map(({ at, values }) =>
    values.length > 0
      ? `    ${quoted(at)}) compadd -- ${values.map(quoted).join(' ')}; return ;;`
      : `    ${quoted(at)}) _default; return ;;`,
  )
  .join('\n')}
  esac
  case "$path_of" in
${places.map((place) => `    ${quoted(place.path)}) entries=(${entriesOf(place)}) ;;`).join('\n')}
  esac
  _describe 'pesewa' entries || _default
}
if [ "$funcstack[1]" = "_pesewa" ]; then _pesewa "$@"; else compdef _pesewa pesewa; fi
`
}

function fish(places: CompletionPoint[]): string {
  const lineOf = (path: string, rest: string) =>
    `complete -c pesewa -n ${quoted(`test "$(__pesewa_path)" = ${JSON.stringify(path)}`)} ${rest}`
  const commandLines = places.flatMap(({ path, commands }) =>
    commands.map(({ name, about }) => lineOf(path, `-f -a ${quoted(name)} -d ${quoted(firstClause(about))}`)),
  )
  const optionLines = places.flatMap(({ path, options }) =>
    options.map(({ flags, about, takesValue, values }) =>
      lineOf(
        path,
        [
          ...flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`)),
          ...(takesValue ? ['-r'] : []),
          ...(values.length > 0 ? [`-f -a ${quoted(values.join(' '))}`] : []),
          `-d ${quoted(firstClause(about))}`,
        ].join(' '),
      ),
    ),
  )
  const paths = commandPaths(places).map(quoted).join(' ')
  return `# fish completion of pesewa: written by pesewa completion fish
function __pesewa_path
  set -l path ''
  for word in (commandline -opc)[2..-1]
    set -l longer (string trim "$path $word")
    if contains -- "$longer" ${paths}
      set path $longer
    end
  end
  echo $path
end
${[...commandLines, ...optionLines].join('\n')}
`
}

/** Shortens a description to one line and removes characters that are special to a shell. */
const firstClause = (about: string) => (about.split(/[:;,(]/, 1)[0] ?? '').trim()
