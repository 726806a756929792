import { execFileSync } from 'node:child_process'

/** Whether a machine has a program: what it has not cannot be tested there. */
export function isInstalled(command: string): boolean {
  try {
    return execFileSync(command, ['--version'], { stdio: 'pipe' }).length > 0
  } catch {
    return false
  }
}
