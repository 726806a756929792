import { type ChildProcess, type ForkOptions, fork, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { Figures } from './pace.ts'

// The child processes of this run. They end when it ends, for whatever reason.

const running = new Set<ChildProcess>()
const endLimitMs = 10_000
let isEnding = false

/** Ends all children and prevents new ones. */
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

/** Messages of a child process. `begins` and `ends` mark the measured window. */
type Message =
  | { kind: 'begins' | 'ends'; metrics?: string | undefined }
  | { kind: 'listening'; port: number }
  | { kind: 'measured'; figures: Figures }

export type OnMessage = (message: Message) => void

/** Runs a module of this folder as a child process with `task`, and forwards its messages until it ends. */
export function forkChild(
  module: string,
  task: object,
  told: OnMessage,
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

/** Like `forkChild`, for a module that listens on a port; returns once it is listening. */
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

/** Called in the child process: receives the task, and exits when the parent process does. */
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
