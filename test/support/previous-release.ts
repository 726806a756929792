import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { makeFolder } from './program.ts'

const root = path.resolve(import.meta.dirname, '../..')

/**
 * Returns the commit of the previous release, which `.previous-release` names. A clone without its history has only
 * the current commit, which then stands for the previous release.
 */
export function previousRelease(): string {
  const commit = readFileSync(path.join(root, '.previous-release'), 'utf8').trim()
  const { status } = spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root })
  if (status === 0) return commit
  console.error(`The commit ${commit} of .previous-release is not in this clone; testing with HEAD instead.`)
  return 'HEAD'
}

/** Exports the previous release into a new folder, with the packages that are installed here. Returns the folder. */
export function exportPreviousRelease(): string {
  const folder = makeFolder()
  const archive = execFileSync('git', ['archive', previousRelease()], { cwd: root, maxBuffer: 2 ** 30 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  linkPackages(folder)
  cpSync(path.join(root, 'packages/console/dist'), path.join(folder, 'packages/console/dist'), {
    recursive: true,
  })
  return folder
}

/** Links the packages from npm that are installed here, and the release's own workspaces. */
function linkPackages(folder: string): void {
  const [from, to] = [path.join(root, 'node_modules'), path.join(folder, 'node_modules')]
  mkdirSync(path.join(to, '@pesewa'), { recursive: true })
  for (const name of readdirSync(from).filter((name) => name !== '@pesewa'))
    symlinkSync(path.join(from, name), path.join(to, name))
  for (const name of readdirSync(path.join(folder, 'packages')))
    if (existsSync(path.join(folder, 'packages', name, 'package.json')))
      symlinkSync(path.join(folder, 'packages', name), path.join(to, '@pesewa', name))
}
