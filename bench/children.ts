import { type ChildProcess, type ForkOptions, fork, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { Figures } from './pace.ts'

// Processes of this run. Whatever ends it, they end with it, and nothing else does.

const running = new Set<ChildProcess>()
const endLimitMs = 10_000
let isEnding = false

/** Ends all of them; none can be started any more. */
export async function endChildren(): Promise<void> {
  isEnding = true
  await Promise.all([...running].map(endChild))
}

export async function endChild(child: ChildProcess): Promise<void> {
  if (!running.has(child)) return
  const limit = setTimeout(() => child.kill('SIGKILL'), endLimitMs)
  child.kill('SIGTERM')
  await once(child, 'close').catch(() => {})
  clearTimeout(limit)
}

export const spawnChild = (command: string, args: string[], options: SpawnOptions): ChildProcess =>
  register(() => spawn(command, args, options))

function register(start: () => ChildProcess): ChildProcess {
  if (isEnding) throw new Error('the run is ending')
  const child = start()
  running.add(child)
  child.once('close', () => running.delete(child))
  child.once('error', () => running.delete(child))
  return child
}

/** What a process of the benchmark's own tells. `begins` and `ends` are of the window that is measured. */
type Message =
  | { kind: 'begins' | 'ends'; metrics?: string | undefined }
  | { kind: 'listening'; port: number }
  | { kind: 'measured'; figures: Figures }

export type Told = (message: Message) => void

/** Runs a module of this folder as a process that is given `task` and tells until it ends or is ended. */
export function forkChild(
  module: string,
  task: object,
  told: Told,
): { child: ChildProcess; ended: Promise<void> } {
  const options: ForkOptions = { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], execArgv: [] }
  const child = register(() => fork(path.join(import.meta.dirname, module), options))
  child.on('message', (message: Message) => told(message))
  child.send(task)
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) =>
      code === 0 || signal === 'SIGTERM'
        ? resolve()
        : reject(new Error(`${module} ended with ${signal ?? `exit code ${code}`}`)),
    )
  })
  ended.catch(() => {})
  return { child, ended }
}

/** The same, of a module that serves: answers when it listens. */
export async function forkListening(
  module: string,
  task: object,
): Promise<{ child: ChildProcess; port: number }> {
  let listening: (port: number) => void = () => {}
  const heard = new Promise<number>((resolve) => {
    listening = resolve
  })
  const { child, ended } = forkChild(module, task, (message) => {
    if (message.kind === 'listening') listening(message.port)
  })
  const port = await Promise.race([heard, ended.then(() => Promise.reject(new Error(`${module} ended`)))])
  return { child, port }
}

/** The other side: takes the task, and lives no longer than the process that gave it. */
export function onTask<Task>(
  work: (task: Task, tell: (message: Message) => Promise<void>) => Promise<void>,
): void {
  const tell = (message: Message) =>
    new Promise<void>((resolve, reject) =>
      process.send!(message, (error: Error | null) => (error ? reject(error) : resolve())),
    )
  process.once('disconnect', () => process.exit(1))
  process.once('message', (task) => {
    work(task as Task, tell).then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error)
        process.exit(1)
      },
    )
  })
}
