// Run by npm when this folder is installed. Builds dist/ with the repository's TypeScript, or with a copy that
// npm fetches if the repository's packages are not installed.

import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = import.meta.dirname
const build = ['-p', join(folder, 'tsconfig.build.json')]
const own = join(folder, '../../node_modules/typescript/bin/tsc')
const isWindows = process.platform === 'win32'

const [command, ...args] = existsSync(own)
  ? [process.execPath, own, ...build]
  : ['npm', 'exec', '--yes', `--package=typescript@${versionOfRepository()}`, '--', 'tsc', ...build]
const { status, error } = spawnSync(command, args, {
  cwd: folder,
  stdio: 'inherit',
  shell: isWindows && command === 'npm',
})
if (status !== 0) {
  console.error(`The client could not be built: ${error?.message ?? `${command} ended with ${status}`}.`)
  process.exit(1)
}

function versionOfRepository() {
  return JSON.parse(readFileSync(join(folder, '../../package.json'), 'utf8')).devDependencies.typescript
}
