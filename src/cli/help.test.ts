import assert from 'node:assert/strict'
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
