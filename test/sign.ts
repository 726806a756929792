import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

// Imported first by every process of a run: who looks for the sign is stuck.ts.
const sign = path.join(process.env.TEST_SIGNS ?? '', String(process.pid))
process.on('exit', () => rmSync(sign, { force: true }))
giveSign(process.argv[1] ?? '')

/** Shows that this process goes on, and what it is at. */
export function giveSign(file: string): void {
  writeFileSync(sign, file)
}
