import type { Command } from 'commander'
import { jsonOption } from '../command.ts'

/** Adds `pesewa doctor`, which checks the installation. */
export const addDoctorCommand = (program: Command) =>
  program
    .command('doctor')
    .description(
      'check the installation and suggest fixes: exits with 0 if there are no problems or only warnings, 1 otherwise',
    )
    .option(
      '--offline',
      'skip checks that contact machines other than the database server: rails, certificates, mail',
    )
    .option(...jsonOption)
    .action(async (options: { offline?: boolean; json?: boolean }) =>
      (await import('./doctor-action.ts')).doctor(options),
    )
