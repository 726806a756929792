// Makes a fresh checkout runnable: installs package-lock.json, builds the console, and ensures a suitable Node.
// It runs before every npm script, so it has no dependencies, supports Node 18, and is silent and fast if there
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
  const reason = isForbidden ? `this user cannot write to ${error.dest ?? error.path ?? root}` : error.message
  console.error(`Set-up failed: ${reason}`)
  process.exit(1)
}

function isReady() {
  return isInstalled() && isConsoleBuilt(root)
}

// A stamp records the installed lock file. Without it, packages that were installed manually count if they
// match the lock file. A linked node_modules is left alone.
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

// Prevents two concurrent commands from running npm in the same folder.
async function prepareAlone() {
  fs.mkdirSync(dirname(lock), { recursive: true })
  let isTold = false
  while (!takeLock()) {
    if (!isTold) console.error(`Waiting for another set-up in this folder (${lock}) …`)
    isTold = true
    await sleep(pollMs)
  }
  try {
    if (!isInstalled()) await install()
    if (!isConsoleBuilt(root)) {
      console.error('Building the console; this takes a few seconds …')
      buildConsole(root)
    }
  } finally {
    fs.rmSync(lock, { force: true })
  }
}

// The lock is a symbolic link, because a link is created atomically. Its target lists the ids of the processes
// at work.
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
    // Another process may have replaced the stale lock since it was read.
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
  console.error('Installing packages from package-lock.json with npm ci; this takes up to a minute …')
  // npm replaces node_modules, so it must not run on the Node inside it, which is first on the PATH of npm
  // scripts.
  const path = process.env.PATH.split(delimiter).filter((folder) => !folder.endsWith('node_modules/.bin'))
  const npm = spawn('npm', ['ci', '--loglevel=error', '--no-fund', '--no-audit'], {
    cwd: root,
    env: { ...process.env, PATH: path.join(delimiter) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // Prints npm's output only on failure, and to standard error, because the command's own output may be piped.
  const said = []
  for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (chunk) => said.push(chunk))
  const ended = once(npm, 'close')
  nameInLock(npm.pid)
  const [code, signal] = await ended.catch((error) => {
    throw new Error(`cannot run npm (${error.code}): install it, then run this command again`)
  })
  if (code !== 0) process.stderr.write(Buffer.concat(said))
  if (code !== 0)
    throw new Error(
      `npm ci failed (${signal ?? `exit code ${code}`}): fix the error above, then run this command again`,
    )
  fs.mkdirSync(packages, { recursive: true })
  fs.writeFileSync(stamp, lockHash())
}

// npm keeps running if this process is killed.
function nameInLock(npmId) {
  if (npmId === undefined) return
  fs.rmSync(`${lock}.new`, { force: true })
  fs.symlinkSync(`${process.pid},${npmId}`, `${lock}.new`)
  fs.renameSync(`${lock}.new`, lock)
}

// Finds the Node that the npm script will use: the packaged one, or the machine's own.
function checkNode() {
  const { stdout } = spawnSync('node', ['--version'], {
    env: { ...process.env, PATH: pathWithPackages(root) },
    encoding: 'utf8',
  })
  const version = stdout?.trim()
  if (Number.parseInt(version?.slice(1), 10) >= neededMajor) return
  const found = version ? `Node ${version} is too old` : 'no Node was found'
  throw new Error(
    `${found}, and there is no newer one for this platform among the packages: install Node ${neededMajor} or newer (https://nodejs.org), then run this command again`,
  )
}
