import { execFileSync } from 'node:child_process'

/** Whether a program is installed on this machine. Tests that need a missing program are skipped. */
export function isInstalled(command: string): boolean {
  try {
    return execFileSync(command, ['--version'], { stdio: 'pipe' }).length > 0
  } catch {
    return false
  }
}
