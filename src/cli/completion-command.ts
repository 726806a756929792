import { Argument, type Command } from 'commander'
import type { Shell } from './completion-action.ts'

const shells = ['bash', 'zsh', 'fish'] satisfies Shell[]

/** `pesewa completion`: written from the grammar, so that it lists what there is. */
export function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .description('print what makes a shell complete commands and options')
    .addArgument(new Argument('<shell>', 'whose').choices(shells))
    .action(async (shell: Shell) => {
      const { completionFor } = await import('./completion-action.ts')
      process.stdout.write(completionFor(shell, program))
    })
}
