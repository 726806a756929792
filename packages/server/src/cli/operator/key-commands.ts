import type { Command } from 'commander'
import type { Decider } from '../../tenants/spaces/audit.ts'
import { spaceIds } from '../../tenants/spaces/resources.ts'
import { commandGroup, idArgument, printing } from '../command.ts'
import { withDecider } from './operator-command.ts'

/** Adds `pesewa keys`, for the keys with which personal data is encrypted. */
export function addKeyCommands(program: Command): void {
  const add = commandGroup(program, 'keys', 'keys of personal data')
  printing(
    add('status', 'show whether numbers and names are encrypted, and the progress of encrypting'),
    async () => (await import('./key-actions.ts')).showKeys(),
  )
  printing(
    withDecider(
      add('encrypt', 'encrypt the numbers and names of payers and payees from now on, and existing ones'),
    ),
    async (decider: Decider) => (await import('./key-actions.ts')).encrypt(decider),
  )
  printing(
    withDecider(add('rotate', 'replace the data keys, and encrypt everything again')).option(
      '--space <id>',
      'only the key of this Space',
      idArgument(spaceIds),
    ),
    async ({ space, ...decider }: Decider & { space?: string }) =>
      (await import('./key-actions.ts')).rotate(decider, space),
  )
  printing(
    withDecider(add('rewrap', 'wrap all keys again, after the master key has been changed')),
    async (decider: Decider) => (await import('./key-actions.ts')).rewrap(decider),
  )
}
