import { execFile } from 'node:child_process'
import { cpSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { makeFolder } from './program.ts'

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '..')

/** A folder of somebody who has installed the SDK from its package, and nothing else. */
export async function installSdk(): Promise<string> {
  const made = makeFolder()
  const sdk = path.join(root, 'sdk')
  await run(path.join(root, 'node_modules/.bin/tsc'), [
    ...['-p', path.join(sdk, 'tsconfig.build.json')],
    ...['--outDir', path.join(made, 'dist')],
  ])
  for (const name of ['package.json', 'README.md', 'examples'])
    cpSync(path.join(sdk, name), path.join(made, name), { recursive: true })
  const { stdout } = await run('npm', ['pack', '--silent', '--offline'], { cwd: made })
  const empty = makeFolder()
  writeFileSync(path.join(empty, 'package.json'), '{"type":"module","private":true}')
  const tarball = path.join(made, stdout.trim())
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: empty })
  return empty
}
