import { globSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'

/**
 * Kills each process of a run that has given no sign of life in this folder for `limitMs`, and reports its
 * threads, because node's runner waits forever for a process that does not exit. For why a process may hang,
 * see docs/decisions/0003-every-process-ends.md.
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
  // A process that was killed leaves its sign behind, and its id may already belong to another process.
  if (process.platform === 'linux' && fieldOf(`/proc/${pid}/status`, 'PPid') !== String(process.pid)) return
  say(`${file} gave no sign of life for ${limitMs / 1000} s and is killed; its threads: ${threadsOf(pid)}`)
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has just ended by itself.
  }
}

/** Returns the state of each thread, and the kernel function in which it waits. Linux only. */
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
