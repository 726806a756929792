import type { Command } from 'commander'
import { addBillCommands } from './bill-commands.ts'
import { addCaseCommands } from './case-commands.ts'
import { addConnectionCommands } from './connection-commands.ts'
import { addFeeCommands } from './fee-commands.ts'
import { addKeyCommands } from './key-commands.ts'
import { addMoneyCommands } from './money-commands.ts'
import { addRailTestCommand } from './rail-test-command.ts'
import { addRecallCommands } from './recall-commands.ts'
import { addReconcileCommand } from './reconcile-command.ts'
import { addSettleCommands } from './settle-commands.ts'
import { addSpaceCommands } from './space-commands.ts'
import { addTokenCommands } from './token-commands.ts'
import { addMemberCommands, addUserCommands } from './user-commands.ts'
import { addVerifyCommand } from './verify-command.ts'

/** Adds the operator commands. They work whether or not the service is running. */
export function addAdminCommands(program: Command): void {
  program.commandsGroup('Spaces and users:')
  addSpaceCommands(program)
  addUserCommands(program)
  addMemberCommands(program)
  addTokenCommands(program)
  addFeeCommands(program)

  program.commandsGroup('Money in and out:')
  addMoneyCommands(program)

  program.commandsGroup('Needs attention:')
  addCaseCommands(program)
  addBillCommands(program)
  addRecallCommands(program)

  program.commandsGroup('Providers and books:')
  addConnectionCommands(program)
  addVerifyCommand(program)
  addReconcileCommand(program)
  addSettleCommands(program)
  addRailTestCommand(program)
  addKeyCommands(program)
}
