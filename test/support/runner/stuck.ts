import { globSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'

/**
 * Ends each process of a run that has given no sign in this folder for so long, and says where it stood: node's runner waits
 * without limit for a process that does not end. Why one may not: docs/decisions/0003-every-process-ends.md.
 */
export function endStuck(signs: string, limitMs: number, say: (line: string) => void): NodeJS.Timeout {
  return setInterval(() => {
    for (const name of readdirSync(signs)) endIfStuck(path.join(signs, name), Number(name), limitMs, say)
  }, limitMs / 40).unref()
}

function endIfStuck(sign: string, pid: number, limitMs: number, say: (line: string) => void): void {
  const { mtimeMs } = statSync(sign, { throwIfNoEntry: false }) ?? {}
  if (mtimeMs === undefined || Date.now() - mtimeMs < limitMs) return
  const file = readFileSync(sign, 'utf8')
  rmSync(sign, { force: true })
  // One that was killed leaves its sign behind, and its number may be another's by now.
  if (process.platform === 'linux' && fieldOf(`/proc/${pid}/status`, 'PPid') !== String(process.pid)) return
  say(`${file} gave no sign for ${limitMs / 1000} s and is ended; its threads: ${threadsOf(pid)}`)
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has just ended by itself.
  }
}

/** The state of each thread, and the call of the kernel that it waits in; Linux only. */
function threadsOf(pid: number): string {
  const threads = globSync(`/proc/${pid}/task/*`).map((thread) => {
    const where = read(`${thread}/wchan`) ?? ''
    return `${fieldOf(`${thread}/status`, 'Name')} ${fieldOf(`${thread}/status`, 'State')} ${where}`.trim()
  })
  return threads.join(', ') || 'unknown'
}

const fieldOf = (file: string, name: string) =>
  new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(read(file) ?? '')?.[1]

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
