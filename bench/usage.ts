import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

export const cores = availableParallelism()

/**
 * Process groups whose processor time is measured separately. `ended` means exited child processes, such as
 * pgbench. `rail` is the simulated rail, which counts as load.
 */
export type Observed = {
  server?: number
  load?: number | 'ended'
  rail?: number
  postgres?: number | undefined
}

/** Processor time so far, in clock ticks. */
type Reading = { server: number; load: number; postgres: number; busy: number; at: number }

/** Percentage of all cores. `other` is the rest of the machine; a high value distorts the row. */
export type Usage = { server: number | null; load: number | null; postgres: number | null; other: number }

const ticksPerSecond = 100

export function readUsage({ server, load, rail, postgres }: Observed): Reading {
  return {
    server: server === undefined ? 0 : ticksOf(server),
    load:
      (load === undefined ? 0 : load === 'ended' ? endedTicksOf('self') : ticksOf(load)) +
      (rail === undefined ? 0 : ticksOf(rail)),
    postgres: postgres === undefined ? 0 : ticksOfPostgres(postgres),
    busy: busyTicks(),
    at: performance.now(),
  }
}

export function usageBetween(observed: Observed, before: Reading, after: Reading): Usage {
  const available = ((after.at - before.at) / 1000) * ticksPerSecond * cores
  const percent = (ticks: number) => Math.round((1000 * ticks) / available) / 10
  const spent = (who: 'server' | 'load' | 'postgres') => Math.max(0, after[who] - before[who])
  const share = (who: 'server' | 'load' | 'postgres') =>
    observed[who] === undefined ? null : percent(spent(who))
  const ours = spent('server') + spent('load') + spent('postgres')
  return {
    server: share('server'),
    load: share('load'),
    postgres: share('postgres'),
    other: percent(Math.max(0, after.busy - before.busy - ours)),
  }
}

/** Finds the postmaster of a connection's backend; `undefined` if the server is on another machine. */
export function postmasterOf(backend: number): number | undefined {
  const parent = Number(fieldsOf(backend)?.[1])
  const isPostgres = [backend, parent].every((pid) => nameOf(pid) === 'postgres')
  return isPostgres ? parent : undefined
}

// A connection's process may already have exited; its time then counts among the postmaster's exited children.
function ticksOfPostgres(postmaster: number): number {
  const children = readdirSync('/proc').filter(
    (pid) => /^\d+$/.test(pid) && Number(fieldsOf(pid)?.[1]) === postmaster,
  )
  return children.reduce((sum, pid) => sum + ticksOf(pid), ticksOf(postmaster) + endedTicksOf(postmaster))
}

const ticksOf = (pid: number | string) => sumOf(fieldsOf(pid)?.slice(11, 13))
const endedTicksOf = (pid: number | string) => sumOf(fieldsOf(pid)?.slice(13, 15))

const sumOf = (fields: string[] = []) => fields.reduce((sum, field) => sum + Number(field), 0)

/** Parses /proc/PID/stat after the program name, which may contain anything: state, parent, …, see proc(5). */
function fieldsOf(pid: number | string): string[] | undefined {
  const text = read(`/proc/${pid}/stat`)
  return text?.slice(text.lastIndexOf(')') + 2).split(' ')
}

const nameOf = (pid: number) => read(`/proc/${pid}/comm`)?.trim()

/** Sums user, nice, system, irq, softirq and steal, without idle and iowait. */
function busyTicks(): number {
  const [, user, nice, system, , , irq, softirq, steal] = (read('/proc/stat') ?? '')
    .split('\n', 1)[0]!
    .split(/\s+/)
  return sumOf([user, nice, system, irq, softirq, steal].map((field) => field ?? '0'))
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
