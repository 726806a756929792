import { setTimeout as sleep } from 'node:timers/promises'
import type { Machine } from './machines.ts'

/** The machines: two database servers, and two that run nodes. The first of these also runs the third etcd. */
export type Lab = { db1: Machine; db2: Machine; app1: Machine; app2: Machine }

/** Two database servers, of which one is the primary. */
export type Cluster = {
  /** The primary and its standby, as the test knows them. */
  primary: Machine
  standby: Machine
  stop(): Promise<void>
}

const databasePassword = 'the password of the nodes'
export const binFolder = '/usr/lib/postgresql/15/bin'

/** A value for `DATABASE_URL`: HAProxy on the same machine, or a server. */
export const urlAt = (host: string) =>
  `postgresql://pesewa:${encodeURIComponent(databasePassword)}@${host}:5432/pesewa`

/** Runs a statement as the superuser of a server, and returns its result as text. */
export const psql = (machine: Machine, statement: string, database = 'postgres'): string =>
  machine.run(['psql', '-h', '/run/postgresql', '-d', database, '-Atqc', statement], 'postgres').trim()

export function createOwnDatabase(machine: Machine): void {
  psql(machine, `create role pesewa login password '${databasePassword}'`)
  psql(machine, 'grant pg_monitor to pesewa')
  psql(machine, 'create database pesewa owner pesewa')
}

/** Waits until `look` returns a value and does not throw, and returns the value. */
export async function until<T>(
  name: string,
  look: () => Promise<T | undefined | false> | T | undefined | false,
  limitMs = 60_000,
): Promise<T> {
  const since = performance.now()
  for (;;) {
    let cause: unknown
    const seen = await Promise.resolve()
      .then(look)
      .catch((error) => void (cause = error))
    if (seen) return seen
    if (performance.now() > since + limitMs) throw new Error(`${name}: not within ${limitMs} ms`, { cause })
    await sleep(25)
  }
}
