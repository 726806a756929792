import { WriteStream } from 'node:tty'
import { runCommand } from '../../packages/server/src/cli/command-line.ts'
import type { Printed, Run } from './command-line.ts'

// Runs one command after another, and sends back what each printed; see command-line.ts.

process.on('message', async ({ args, env, columns, folder }: Run) => {
  const before = { ...process.env }
  if (folder !== undefined) process.chdir(folder)
  Object.assign(process.env, env)
  const printed: Printed = { code: 0, stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    const stream = process[name]
    // Makes the stream look like a terminal, or like a pipe.
    Object.assign(stream, {
      isTTY: columns !== undefined,
      columns,
      getColorDepth: WriteStream.prototype.getColorDepth,
    })
    stream.write = (text: string | Uint8Array, ...rest: unknown[]) => {
      printed[name] += text
      const done = rest.at(-1)
      if (typeof done === 'function') done()
      return true
    }
  }
  process.exitCode = 0
  await runCommand(['node', 'pesewa', ...args])
  printed.code = Number(process.exitCode)
  process.exitCode = 0
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name]
  Object.assign(process.env, before)
  process.send!(printed)
})
