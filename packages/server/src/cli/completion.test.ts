import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { commands } from './command-line.ts'
import { completionFor } from './completion-action.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'pesewa-test-completion-'))
after(() => rmSync(folder, { recursive: true }))

/** How to request completions from each shell; the last word is incomplete. */
const shells = {
  bash: (file: string, words: string[]) => [
    '-c',
    `source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _pesewa; printf '%s\\n' "\${COMPREPLY[@]}"`,
    file,
    ...words,
  ],
  zsh: (file: string, words: string[]) => [
    '-fc',
    `compdef() {}; _default() {}; _describe() { print -l -- "\${(@P)2}" }; compadd() { shift; print -l -- "$@" }
     source "$0"; words=("$@"); CURRENT=$#; _pesewa`,
    file,
    ...words,
  ],
  fish: (file: string, words: string[]) => [
    '--no-config',
    '-c',
    `source ${file}; complete -C ${JSON.stringify(words.join(' '))}`,
  ],
} as const

const isThere = (shell: string) => spawnSync(shell, ['--version']).status === 0

const offered: [words: string[], some: string[], not: string[]][] = [
  [['pesewa', ''], ['spaces', 'doctor', 'listen'], ['create']],
  [
    ['pesewa', 'spaces', ''],
    ['create', 'list', 'suspend'],
    ['spaces', 'revoke'],
  ],
  [['pesewa', 'users', 'invite', 'ama@shop.example', '--role', ''], ['owner', 'viewer'], ['--space']],
  [['pesewa', 'help', 'tokens', ''], ['create', 'revoke'], ['doctor']],
  [['pesewa', 'completion', ''], ['bash', 'zsh', 'fish'], ['spaces']],
  [['pesewa', 'tokens', 'create', '--'], ['--user', '--expires', '--json'], ['--fee']],
]

// Tests the shells installed on this machine; bash exists on every supported platform.
for (const shell of (['bash', 'zsh', 'fish'] as const).filter(isThere))
  test(`${shell} completes the actual commands, options and choices`, () => {
    const file = path.join(folder, shell)
    writeFileSync(file, completionFor(shell, commands()))
    for (const [words, some, not] of offered) {
      const printed = execFileSync(shell, shells[shell](file, words), { encoding: 'utf8' })
      const names = printed.split('\n').map((line) => line.split(/[:\t]/, 1)[0]?.trim())
      for (const name of some) assert.ok(names.includes(name), `${words.join(' ')}: no ${name} in ${printed}`)
      for (const name of not) assert.ok(!names.includes(name), `${words.join(' ')}: ${name}`)
    }
  })
