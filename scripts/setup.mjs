// Makes a fresh checkout ready to run: the packages of package-lock.json, the console's files, and a Node that may run
// payments.
// It stands before every npm script, so it has no dependency, runs on Node 18, and is silent and quick when there
// is nothing to do.

import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { buildConsole, isConsoleBuilt, pathWithPackages } from './console-files.mjs'

const neededMajor = 24
const pollMs = 100
const root = dirname(dirname(fileURLToPath(import.meta.url)))
const packages = join(root, 'node_modules')
const stamp = join(packages, '.pesewa-setup')
const lock = join(root, '.tmp', 'setup.lock')

try {
  if (!isReady()) await prepareAlone()
  checkNode()
} catch (error) {
  const isForbidden = ['EACCES', 'EPERM', 'EROFS'].includes(error.code)
  const reason = isForbidden
    ? `this user may not write to ${error.dest ?? error.path ?? root}`
    : error.message
  console.error(`Pesewa is not set up: ${reason}`)
  process.exit(1)
}

function isReady() {
  return isInstalled() && isConsoleBuilt(root)
}

// Our stamp tells which lock file was installed from. Without one, packages that someone installed with npm by hand
// count when they are the ones of the lock file. A link to packages elsewhere is the developer's own affair.
function isInstalled() {
  if (!fs.existsSync(packages)) return false
  if (fs.lstatSync(packages).isSymbolicLink()) return true
  if (fs.existsSync(stamp)) return fs.readFileSync(stamp, 'utf8') === lockHash()
  return isInstalledByHand()
}

function lockHash() {
  return createHash('sha256')
    .update(fs.readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
}

function isInstalledByHand() {
  const record = join(packages, '.package-lock.json')
  if (!fs.existsSync(record)) return false
  const installed = packagesOf(record)
  const wanted = packagesOf(join(root, 'package-lock.json'))
  const hasDev = Object.values(installed).some((one) => one.dev)
  const isNeeded = (one) => !one.optional && !one.devOptional && (hasDev || !one.dev)
  return (
    Object.entries(installed).every(([path, one]) => isSame(one, wanted[path])) &&
    Object.entries(wanted).every(([path, one]) => path in installed || !isNeeded(one))
  )
}

function packagesOf(file) {
  const { '': _root, ...rest } = JSON.parse(fs.readFileSync(file, 'utf8')).packages
  return rest
}

function isSame(one, other) {
  return one.version === other?.version && one.integrity === other?.integrity
}

// Two commands started together must not run two npm in one folder.
async function prepareAlone() {
  fs.mkdirSync(dirname(lock), { recursive: true })
  let isTold = false
  while (!takeLock()) {
    if (!isTold) console.error(`Waiting for another set-up of this folder (${lock}) …`)
    isTold = true
    await sleep(pollMs)
  }
  try {
    if (!isInstalled()) await install()
    if (!isConsoleBuilt(root)) buildConsole(root)
  } finally {
    fs.rmSync(lock, { force: true })
  }
}

// The lock is a link whose target is the ids of the processes at work: a link is made whole or not at all.
function takeLock() {
  try {
    fs.symlinkSync(String(process.pid), lock)
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    return removeStaleLock() && takeLock()
  }
}

function removeStaleLock() {
  const moved = `${lock}.${process.pid}`
  try {
    const holder = fs.readlinkSync(lock)
    if (holder.split(',').some(isAlive)) return false
    fs.renameSync(lock, moved)
    // Someone else may have removed the stale lock and taken a new one since it was read.
    if (fs.readlinkSync(moved) === holder) fs.rmSync(moved)
    else fs.renameSync(moved, lock)
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
  return true
}

function isAlive(id) {
  if (Number(id) === process.pid) return false
  try {
    process.kill(Number(id), 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

async function install() {
  console.error('Installing the packages of package-lock.json with npm ci; this takes some seconds …')
  // npm replaces node_modules, so it must not run on the Node in there, which is first on the PATH of npm scripts.
  const path = process.env.PATH.split(delimiter).filter((folder) => !folder.endsWith('node_modules/.bin'))
  const npm = spawn('npm', ['ci', '--loglevel=error', '--no-fund', '--no-audit'], {
    cwd: root,
    env: { ...process.env, PATH: path.join(delimiter) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // What npm says matters only when it fails; then it goes to standard error, for a command's own may be piped on.
  const said = []
  for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (chunk) => said.push(chunk))
  const ended = once(npm, 'close')
  nameInLock(npm.pid)
  const [code, signal] = await ended.catch((error) => {
    throw new Error(`npm could not be run (${error.code}): install it, then run this command again`)
  })
  if (code !== 0) process.stderr.write(Buffer.concat(said))
  if (code !== 0)
    throw new Error(
      `npm ci failed (${signal ?? `exit code ${code}`}): mend what it says above, then run this command again`,
    )
  fs.mkdirSync(packages, { recursive: true })
  fs.writeFileSync(stamp, lockHash())
}

// npm goes on when this process is killed.
function nameInLock(npmId) {
  if (npmId === undefined) return
  fs.rmSync(`${lock}.new`, { force: true })
  fs.symlinkSync(`${process.pid},${npmId}`, `${lock}.new`)
  fs.renameSync(`${lock}.new`, lock)
}

// The Node that the rest of an npm script finds: the one of the packages, or the machine's own.
function checkNode() {
  const { stdout } = spawnSync('node', ['--version'], {
    env: { ...process.env, PATH: pathWithPackages(root) },
    encoding: 'utf8',
  })
  const version = stdout?.trim()
  if (Number.parseInt(version?.slice(1), 10) >= neededMajor) return
  const found = version ? `Node ${version} is too old` : 'no Node runs here'
  throw new Error(
    `${found} and no newer one is among the packages of this platform: install Node ${neededMajor} or newer (https://nodejs.org), then run this command again`,
  )
}
