import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { allowBackgroundCompilers } from '../../../src/platform/background-compilers.ts'

// Imported first by every process of a run. The process should exit by itself, as a command of the program
// does; if it does not, stuck.ts kills it.
allowBackgroundCompilers(false)

const folder = process.env.TEST_SIGNS
/** Not set in a process whose environment was chosen by a test; nobody watches such a process. */
const sign = folder && path.join(folder, String(process.pid))
process.on('exit', () => sign && rmSync(sign, { force: true }))
giveSign(process.argv[1] ?? '')

/** Records that this process is alive, and which file it is running. */
export function giveSign(file: string): void {
  if (sign) writeFileSync(sign, file)
}
