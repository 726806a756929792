import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after } from 'node:test'
import { assertOneLine, type Ended, type Environment } from './program.ts'

/**
 * A command with its environment variables, its working folder, and the width of its terminal. Without
 * `columns` it writes to a pipe.
 */
export type Run = { args: string[]; env: Environment; columns?: number; folder?: string }
export type Printed = Pick<Ended, 'code' | 'stdout' | 'stderr'>

/**
 * Runs many commands in one process, because starting the program takes half a second. The output is the same
 * as that of separate processes. `common` returns environment variables for all but `runCommand`.
 */
export function openCommandLine(common = (): Environment => ({})) {
  const opened: ChildProcess[] = []
  // One process for each command that runs at the same time.
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
  const send = async (message: Run) => {
    const runner = idle.pop() ?? open()
    const ended = once(runner, 'message')
    runner.send(message)
    // The message comes from command-line-process.ts.
    const [printed] = (await ended) as [Printed]
    idle.push(runner)
    return printed
  }
  const run = (args: string[], { env, ...more }: Partial<Omit<Run, 'args'>> = {}) =>
    send({ args, env: { ...common(), ...env }, ...more })
  return {
    run,
    /** Runs a command with the same signature as `runProgram`, with only these environment variables. */
    runCommand: (args: string[], env: Environment) => send({ args, env }),
    /** Runs a command that must succeed, and returns the JSON that it prints on one line. */
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
    /** Runs a command that must be refused in one line. */
    async refuses(args: string[], expected: RegExp): Promise<void> {
      const { code, stdout, stderr } = await run(args)
      assertOneLine(stderr, expected)
      assert.deepEqual([code, stdout], [1, ''], args.join(' '))
    },
  }
}
