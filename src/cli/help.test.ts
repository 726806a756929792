import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import type { Command } from 'commander'
import { commands } from './command-line.ts'

const withThoseBelow = (command: Command): Command[] => [
  command,
  ...command.commands.flatMap((each) => withThoseBelow(each)),
]

for (const command of withThoseBelow(commands()))
  test(`${command.name()} has help that says how it is used`, () => {
    const help = command.helpInformation()
    assert.match(help, /^Usage: pesewa /)
    assert.doesNotMatch(help, /\[object|undefined/)
  })

test('the grammar loads no package but those that every command needs', () => {
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
