import { execFile } from 'node:child_process'
import { cpSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { makeFolder } from './program.ts'

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '../..')

/** Builds and packs the SDK as it is published, and returns its folder and the tarball. */
export async function packSdk(): Promise<{ folder: string; tarball: string }> {
  const folder = makeFolder()
  const [sdk, tsc] = [path.join(root, 'packages/sdk'), path.join(root, 'node_modules/.bin/tsc')]
  await run(tsc, ['-p', path.join(sdk, 'tsconfig.build.json'), '--outDir', path.join(folder, 'dist')])
  for (const name of ['package.json', 'README.md', 'examples'])
    cpSync(path.join(sdk, name), path.join(folder, name), { recursive: true })
  // The SDK is already built, outside the repository, because other tests build it at the same time.
  const { stdout } = await run('npm', ['pack', '--silent', '--offline', '--ignore-scripts'], { cwd: folder })
  return { folder, tarball: path.join(folder, stdout.trim()) }
}

/** Creates a folder in which only the SDK is installed, from its tarball. */
export async function installSdk(tarball?: string): Promise<string> {
  const packed = tarball ?? (await packSdk()).tarball
  const empty = makeFolder()
  writeFileSync(path.join(empty, 'package.json'), '{"type":"module","private":true}')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', packed], { cwd: empty })
  return empty
}
