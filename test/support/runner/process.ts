import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { allowBackgroundCompilers } from '../../../src/platform/background-compilers.ts'

// Imported first by every process of a run. It is to end, as a command of the program is; if it does not, stuck.ts ends it.
allowBackgroundCompilers(false)

const folder = process.env.TEST_SIGNS
/** None in a process whose environment a test has chosen: nobody watches it. */
const sign = folder && path.join(folder, String(process.pid))
process.on('exit', () => sign && rmSync(sign, { force: true }))
giveSign(process.argv[1] ?? '')

/** Shows that this process goes on, and what it is at. */
export function giveSign(file: string): void {
  if (sign) writeFileSync(sign, file)
}
