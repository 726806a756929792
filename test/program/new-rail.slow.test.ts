import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { before, test } from 'node:test'
import { makeFolder } from '../support/program.ts'

// `npm run new-rail` in a copy of the repository. A new rail is one folder and one line, and its tests pass.

const root = path.resolve(import.meta.dirname, '../..')
const copy = path.join(makeFolder(), 'copy')

before(() => {
  for (const file of git(root, 'ls-files', '-z', '--cached', '--others', '--exclude-standard').split('\0'))
    if (file !== '') cpSync(path.join(root, file), path.join(copy, file), { recursive: true })
  linkPackages()
  git(copy, 'init', '--quiet')
  git(copy, 'add', '--all')
  git(copy, '-c', 'user.name=Test', '-c', 'user.email=test@shop.example', 'commit', '--quiet', '-m', 'copy')
})

test('npm run new-rail starts the command that is tested here', () => {
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  assert.match(scripts['new-rail'], / node scripts\/new-rail\.ts$/)
})

for (const [args, message] of [
  [[], /^Usage: /],
  [['wave', 'money'], /^Usage: /],
  [['Wave Money'], /not a valid name/],
  [['../wave'], /not a valid name/],
  [['gsma'], /^packages\/rails\/gsma exists already/],
  [['order'], /choose a longer name/],
  [['wave-money', '--title', 'Wave`Money'], /not a valid title/],
] as [string[], RegExp][])
  test(`new-rail ${args.join(' ')}: says what is wrong, and changes nothing`, () => {
    const { status, stderr } = newRail(...args)
    assert.equal(status, 1)
    assert.match(stderr, message)
    assert.equal(git(copy, 'status', '--porcelain'), '')
  })

test('a new rail is one folder and one line in the order of the folders, and its tests pass', () => {
  const { status, stdout, stderr } = newRail('lonestar-momo', '--title', 'Lonestar MoMo')
  assert.equal(status, 0, stderr)
  assert.match(stdout, /^Created packages\/rails\/lonestar-momo /)
  assert.equal(
    git(copy, 'status', '--porcelain'),
    ' M packages/rails/index.ts\n?? packages/rails/lonestar-momo/\n',
  )
  assert.equal(git(copy, 'diff', '--numstat'), '1\t0\tpackages/rails/index.ts\n')
  const [, ...lines] = readFileSync(path.join(copy, 'packages/rails/index.ts'), 'utf8').trim().split('\n')
  const folders = lines.map((line) => /'\.\/(.+)\/index\.ts'$/.exec(line)?.[1])
  assert.deepEqual(folders, folders.toSorted())
  const files = readdirSync(path.join(copy, 'packages/rails/lonestar-momo'), {
    recursive: true,
    withFileTypes: true,
  }).filter((entry) => entry.isFile())
  for (const { parentPath, name } of files)
    assert.doesNotMatch(readFileSync(path.join(parentPath, name), 'utf8'), /example.?rail/i, name)

  node('scripts/write.ts')
  node(
    'test/run.ts',
    'packages/rails/lonestar-momo/*.test.ts',
    'packages/rails/conformance.test.ts',
    'test/fuzz/outcomes.test.ts',
    'test/scenarios/rails/providers/secrets.test.ts',
    'test/tidy.test.ts',
    'test/tidy/*.test.ts',
  )
})

/** Links the installed packages, but the repository's own packages are those of the copy. */
function linkPackages(): void {
  const [from, to] = ['node_modules', 'node_modules/@pesewa'].map((folder) => path.join(root, folder))
  mkdirSync(path.join(copy, 'node_modules/@pesewa'), { recursive: true })
  for (const name of readdirSync(from!).filter((name) => name !== '@pesewa'))
    symlinkSync(path.join(from!, name), path.join(copy, 'node_modules', name))
  for (const name of readdirSync(to!))
    symlinkSync(path.join(copy, 'packages', name), path.join(copy, 'node_modules/@pesewa', name))
}

function git(folder: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
}

const newRail = (...args: string[]) =>
  spawnSync(process.execPath, ['scripts/new-rail.ts', ...args], { cwd: copy, encoding: 'utf8' })

/** Runs a program of the copy, which must succeed. */
function node(...args: string[]): void {
  // Without this run's own variables, because a run of tests within a test would do nothing.
  const own = Object.entries(process.env).filter(([name]) => !/^(?:NODE_|TEST_(?!TIMEOUT))/.test(name))
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: copy,
    env: Object.fromEntries(own),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  assert.equal(status, 0, `${args[0]}\n${stdout.slice(-20_000)}${stderr}`)
}
