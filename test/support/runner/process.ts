import asyncHooks, { type AsyncHook } from 'node:async_hooks'
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { allowBackgroundCompilers } from '../../../packages/server/src/platform/background-compilers.ts'

// Imported first by every process of a run. The process should exit by itself, as a command of the program
// does; if it does not, stuck.ts kills it.
allowBackgroundCompilers(false)

const folder = process.env.TEST_SIGNS
/** Not set in a process whose environment was chosen by a test; nobody watches such a process. */
const sign = folder && path.join(folder, String(process.pid))
process.on('exit', () => sign && rmSync(sign, { force: true }))
giveSign(process.argv[1] ?? '')

const { createHook } = asyncHooks
let tracking: AsyncHook | undefined
asyncHooks.createHook = (callbacks) => {
  asyncHooks.createHook = createHook
  tracking = createHook(callbacks)
  return tracking
}

/**
 * Turns the runner's tracking of promises on or off. The runner needs it to find the suite of a test that is
 * being declared. It also uses it to find the test that caused an uncaught error, but tracking every promise of
 * the program takes a tenth of the CPU time of a run. Without it, an uncaught error still fails the run.
 */
export function trackPromises(isOn: boolean): void {
  if (isOn) tracking?.enable()
  else tracking?.disable()
}

/** Records that this process is alive, and which file it is running. */
export function giveSign(file: string): void {
  if (sign) writeFileSync(sign, file)
}
