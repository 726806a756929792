import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { withPaths } from './command-help.ts'
import { commands } from './command-line.ts'
import { examples } from './examples.ts'

const all = withPaths(commands())
const leaves = all.filter(({ command, path }) => path.length > 0 && command.commands.length === 0)

for (const { command, path } of all)
  test(`${['pesewa', ...path].join(' ')} has help with usage and a description`, () => {
    const help = command.helpInformation()
    assert.match(help, /^Usage: pesewa /)
    assert.doesNotMatch(help, /\[object|undefined|default: false/)
    assert.match(help.split('\n')[2] ?? '', /^[A-Z]/)
    for (const option of command.options) assert.notEqual(option.description, '', option.flags)
  })

test('every command has an example, and every example belongs to a command', () => {
  const names = leaves.map(({ path }) => path.join(' '))
  assert.deepEqual(
    names.filter((name) => !examples[name]),
    [],
  )
  assert.deepEqual(
    Object.keys(examples).filter((name) => !all.some(({ path }) => path.join(' ') === name)),
    [],
  )
})

test('the command line accepts every example', async () => {
  for (const [name, lines] of Object.entries(examples))
    for (const line of lines) {
      const program = commands()
      const ran: string[] = []
      for (const { command, path } of withPaths(program))
        command
          .exitOverride()
          .configureOutput({ outputError: () => {} })
          .action(() => void ran.push(path.join(' ')))
      await program
        .parseAsync(wordsOf(line), { from: 'user' })
        .catch((error) => assert.fail(`${line}: ${error}`))
      assert.deepEqual(ran, [name], line)
    }
})

/** Splits a shell line into arguments, dropping variables and redirections and removing quotes. */
const wordsOf = (line: string) =>
  [
    ...line
      .replace(/^(?:[A-Z_]+=\S+ )*pesewa /, '')
      .replace(/ > .*/, '')
      .matchAll(/'([^']*)'|\S+/g),
  ].map(([word, quoted]) => quoted ?? word)

test('the command tree loads only packages that every command needs', () => {
  const script = `
    import { registerHooks } from 'node:module'
    const packages = new Set()
    registerHooks({
      load(url, context, next) {
        const [, inside] = url.split('node_modules/')
        if (inside) packages.add(inside.split('/')[0])
        return next(url, context)
      },
    })
    await import(${JSON.stringify(import.meta.resolve('./command-line.ts'))})
    console.log([...packages].filter((name) => !/^(pg|postgres|split2|xtend)/.test(name)).sort().join())`
  const loaded = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  assert.equal(loaded.trim(), 'commander,countries-list,currency-codes,first-match,ipaddr.js,nub')
})
