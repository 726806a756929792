// Builds the console's files from `packages/console/` and `packages/sdk/` if these sources have changed. Like setup.mjs, which runs it, this
// has no dependencies and runs on Node 18.

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { delimiter, join, relative } from 'node:path'

function placesIn(root) {
  const sources = join(root, 'packages', 'console')
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  return { sources, dist: join(sources, 'dist'), vite }
}

// Returns whether the build matches the current sources. Without build tools, the files that were shipped are
// used.
export function isConsoleBuilt(root) {
  const { sources, dist, vite } = placesIn(root)
  if (!fs.existsSync(vite) || !fs.existsSync(sources)) return true
  const built = join(dist, '.sources')
  return fs.existsSync(built) && fs.readFileSync(built, 'utf8') === sourcesHash(root)
}

function sourcesHash(root) {
  const hash = createHash('sha256').update(fs.readFileSync(join(root, 'package-lock.json')))
  const shared = join(root, 'packages', 'pages', 'src', 'base.css')
  const sdk = join(root, 'packages', 'sdk', 'src')
  const others = [...(fs.existsSync(sdk) ? filesIn(sdk) : []), ...(fs.existsSync(shared) ? [shared] : [])]
  for (const file of [...filesIn(placesIn(root).sources), ...others])
    hash.update(relative(root, file)).update(fs.readFileSync(file))
  return hash.digest('hex')
}

function filesIn(folder) {
  return fs
    .readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !/^dist(\.|$)/.test(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? filesIn(path) : [path]
    })
}

// Builds into a temporary folder, so that the final folder is complete or missing.
export function buildConsole(root) {
  const { sources, dist, vite } = placesIn(root)
  const hash = sourcesHash(root)
  const aside = `${dist}.new`
  const { status, stdout, stderr, error } = spawnSync(
    'node',
    [vite, 'build', sources, '--outDir', aside, '--emptyOutDir', '--logLevel', 'warn'],
    { cwd: root, env: { ...process.env, PATH: pathWithPackages(root) }, encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`the console build failed: ${error?.message ?? stdout + stderr}`)
  fs.writeFileSync(join(aside, '.sources'), hash)
  fs.rmSync(dist, { recursive: true, force: true })
  fs.renameSync(aside, dist)
}

// PATH with the packages' commands first.
export function pathWithPackages(root) {
  return `${join(root, 'node_modules', '.bin')}${delimiter}${process.env.PATH}`
}
