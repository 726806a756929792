import type { Command } from 'commander'
import { jsonOption } from '../command.ts'

/** `pesewa doctor` */
export const addDoctorCommand = (program: Command) =>
  program
    .command('doctor')
    .description(
      'check the installation, and say what to do: exits with 0 if nothing is wrong, 1 if something is; warnings do not count',
    )
    .option('--offline', 'leave out what asks other machines than the database: rails, certificates, mail')
    .option(...jsonOption)
    .action(async (options: { offline?: boolean; json?: boolean }) =>
      (await import('./doctor-action.ts')).doctor(options),
    )
