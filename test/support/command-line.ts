import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after } from 'node:test'
import type { Ended, Environment } from './program.ts'

/** What a command is run with beside its words: of a terminal, how wide it is; in which folder. */
export type Run = { args: string[]; env: Environment; columns?: number; folder?: string }
export type Printed = Pick<Ended, 'code' | 'stdout' | 'stderr'>

/**
 * The command line in one process for many commands, for to start the program takes half a second. A command is told from a
 * program of its own by nothing that it prints.
 */
export function openCommandLine(common: Environment = {}) {
  const opened: ChildProcess[] = []
  // One for each of those that run at once.
  const idle: ChildProcess[] = []
  const open = () => {
    const child = fork(path.join(import.meta.dirname, 'command-line-process.ts'), {
      env: {
        PATH: process.env.PATH,
        HOME: tmpdir(),
        TERM: 'xterm-256color',
        NODE_COMPILE_CACHE: path.join(tmpdir(), `pesewa-test-compiled-${process.getuid?.()}`),
      },
    })
    opened.push(child)
    return child
  }
  after(() => {
    for (const child of opened) child.kill()
  })
  const run = async (args: string[], { env, ...more }: Partial<Omit<Run, 'args'>> = {}) => {
    const message: Run = { args, env: { ...common, ...env }, ...more }
    const runner = idle.pop() ?? open()
    const ended = once(runner, 'message')
    runner.send(message)
    // The message of the process below.
    const [printed] = (await ended) as [Printed]
    idle.push(runner)
    return printed
  }
  return {
    run,
    /** Runs a command as `runProgram` does, with settings of its own. */
    runCommand: (args: string[], env: Environment) => run(args, { env }),
    /** What a command that must succeed prints as JSON, in one line. */
    async json(...args: string[]) {
      const { code, stdout, stderr } = await run([...args, '--json'])
      assert.deepEqual([code, stderr], [0, ''], args.join(' '))
      assert.equal(stdout.trimEnd().split('\n').length, 1)
      return JSON.parse(stdout)
    },
    async text(...args: string[]): Promise<string> {
      const { code, stdout, stderr } = await run(args)
      assert.deepEqual([code, stderr], [0, ''], args.join(' '))
      return stdout
    },
  }
}
