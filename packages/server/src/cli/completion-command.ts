import { Argument, type Command } from 'commander'
import type { Shell } from './completion-action.ts'

const shells = ['bash', 'zsh', 'fish'] satisfies Shell[]

/** Adds `pesewa completion`. The script is generated from the command tree, so no command is missing. */
export function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .description('print a shell completion script')
    .addArgument(new Argument('<shell>', 'whose').choices(shells))
    .action(async (shell: Shell) => {
      const { completionFor } = await import('./completion-action.ts')
      process.stdout.write(completionFor(shell, program))
    })
}
