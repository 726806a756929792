import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/**
 * A machine of a simulated network: a process tree with its own network interfaces, and with its own folders in place of
 * those that Debian's packages use. Only root can create one, and only in a network of the test's own (`inside.ts`).
 */
export type Machine = {
  name: string
  /** The address in the network that `cut` divides. */
  address: string
  /** The folder with the output of the machine's programs. */
  logs: string
  /** The command that runs another command on this machine, in a process with the same id. */
  within: string[]
  /** Starts a program as a user of this machine. */
  start(name: string, command: string[], options?: { user?: string; env?: Record<string, string> }): Started
  /** Runs a command as a user of this machine, and returns its output. */
  run(command: string[], user?: string): string
}

export type Started = {
  process: ChildProcess
  /** Returns when the program first printed a text after `since`, as returned by `performance.now()`. */
  printedAt(text: string, since: number): number | undefined
  stop(signal?: NodeJS.Signals): Promise<void>
}

/** The folders of Debian's packages, which are separate on each machine. */
const ownFolders = ['/var/lib/postgresql', '/var/lib/etcd', '/etc/patroni', '/etc/haproxy', '/run/postgresql']

/** Home folders of the users, as systemd sets them. */
const homes: Record<string, string> = { postgres: '/var/lib/postgresql', etcd: '/var/lib/etcd' }

const execute = (command: string, ...args: string[]) => execFileSync(command, args, { encoding: 'utf8' })
const ip = (...args: string[]) => execute('ip', ...args)

/** The two parts of the network that the servers use. Usually, all machines are in the first. */
const parts = ['part1', 'part2'] as const
/** The network in which clients and rails reach the nodes, which is never divided. */
const front = 'front'

/** Creates the network. The test itself is in its first part, and in front. */
export function createNetwork(): void {
  ip('link', 'set', 'lo', 'up')
  for (const bridge of [...parts, front]) {
    ip('link', 'add', bridge, 'type', 'bridge')
    ip('link', 'set', bridge, 'up')
  }
  ip('address', 'add', '10.0.0.1/24', 'dev', parts[0])
  ip('address', 'add', '10.0.1.1/24', 'dev', front)
}

/** Cuts these machines off from all others. They still reach each other. Packets between the parts are dropped. */
export function cut(machines: Machine[]): void {
  for (const { name } of machines) ip('link', 'set', name, 'master', parts[1])
}

export function mend(machines: Machine[]): void {
  for (const { name } of machines) ip('link', 'set', name, 'master', parts[0])
}

export async function createMachine(folder: string, name: string, host: number): Promise<Machine> {
  const [logs, address] = [path.join(folder, name, 'logs'), `10.0.0.${host}`]
  mkdirSync(logs, { recursive: true })
  const mounts = ownFolders.map((target) => {
    const source = path.join(folder, name, target.replaceAll('/', '-'))
    execute('install', '-d', '-m', '755', ...ownerOf(target), source)
    return `mount --bind ${source} ${target}`
  })
  const script = [...mounts, 'ip link set lo up', 'echo ready', 'exec sleep infinity'].join(' && ')
  const holder = spawn('unshare', ['--net', '--mount', 'sh', '-c', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(holder.stdout!, 'data')
  const pid = String(holder.pid)
  const connect = (bridge: string, link: string, own: string, cidr: string) => {
    ip('link', 'add', link, 'type', 'veth', 'peer', 'name', own, 'netns', pid)
    ip('link', 'set', link, 'master', bridge, 'up')
    execute('nsenter', '-t', pid, '-n', 'ip', 'address', 'add', cidr, 'dev', own)
    execute('nsenter', '-t', pid, '-n', 'ip', 'link', 'set', own, 'up')
  }
  connect(parts[0], name, 'back', `${address}/24`)
  connect(front, `${name}-f`, 'front', `10.0.1.${host}/24`)

  const within = ['nsenter', '-t', pid, '-n', '-m', '--']
  const as = (user: string) => [
    ...within,
    'setpriv',
    `--reuid=${user}`,
    `--regid=${user}`,
    '--init-groups',
    '--',
  ]
  return {
    name,
    address,
    logs,
    within,
    start(program, [...command], { user = 'root', env = {} } = {}) {
      const [file = '', ...words] = [...as(user), ...command]
      const log = path.join(logs, `${program}.log`)
      const child = spawn(file, words, {
        cwd: '/',
        env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', TZ: 'UTC', HOME: homes[user] ?? '/root', ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const printed: { at: number; text: string }[] = []
      const output = createWriteStream(log, { flags: 'a' })
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => {
          printed.push({ at: performance.now(), text })
          output.write(text)
        })
      const ended = once(child, 'exit')
      return {
        process: child,
        printedAt: (text, since) => printed.find((one) => one.at >= since && one.text.includes(text))?.at,
        async stop(signal = 'SIGTERM') {
          if (child.exitCode === null && child.signalCode === null) {
            child.kill(signal)
            await ended
          }
          output.end()
        },
      }
    },
    run(command, user = 'root') {
      const [file = '', ...words] = [...as(user), ...command]
      return execFileSync(file, words, {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
        cwd: '/',
        env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' },
      })
    },
  }
}

/** Returns options of `install` that give a folder the owner that Debian's package gave it. */
function ownerOf(target: string): string[] {
  const [uid = '', gid = ''] = execute('stat', '-c', '%u %g', target).trim().split(' ')
  return ['-o', uid, '-g', gid]
}

/** Ends PostgreSQL on a machine as a power failure would: the server and all its processes, at once. */
export function killPostgres(dataFolder: string, machine: Machine): void {
  const pid = Number(machine.run(['head', '-n', '1', `${dataFolder}/postmaster.pid`]).trim())
  assert.ok(pid > 1)
  // Stopped first, so that it cannot react to the end of its children.
  process.kill(pid, 'SIGSTOP')
  for (const child of childrenOf(pid)) process.kill(child, 'SIGKILL')
  process.kill(pid, 'SIGKILL')
}

/** Returns the ids of a process's children. */
export const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
