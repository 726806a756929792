import pg from 'pg'
import type { Database } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { keyedFlag } from './queue.ts'

const reconnectDelayMs = 500
const alivenessLock = 715_002

/**
 * Graphile Worker gives up on a job's owner only after four hours. Ours shows that it lives by holding an advisory
 * lock on a connection of its own: PostgreSQL drops the lock when the process dies, and whoever notices first
 * returns the dead one's jobs to the queue.
 */
export class Aliveness {
  readonly connection: pg.ClientConfig
  #client: pg.Client | undefined
  #ended = false

  constructor(connection: pg.ClientConfig) {
    this.connection = connection
  }

  async show(poolId: string): Promise<void> {
    const client = new pg.Client(this.connection)
    this.#client = client
    const again = () => {
      if (this.#ended || this.#client !== client) return
      this.#client = undefined
      setTimeout(() => {
        // A connection that does not come to hold the lock is ended, and its end comes here again.
        if (!this.#ended) this.show(poolId).catch(() => this.#client?.end())
      }, reconnectDelayMs).unref()
    }
    client.on('error', again)
    client.on('end', again)
    await client.connect()
    await client.query('select pg_advisory_lock($1, hashtext($2))', [alivenessLock, poolId])
  }

  async end(): Promise<void> {
    this.#ended = true
    await this.#client?.end().catch(() => {})
  }
}

export async function recoverAbandoned(db: Database): Promise<void> {
  // every space: the queue's own bookkeeping. The two seconds let a new owner take its lock first.
  await db.query(sql`
    select graphile_worker.force_unlock_workers(array_agg(distinct locked_by)) from graphile_worker.jobs
    where locked_at < now() - interval '2 seconds' and not exists (
      select 1 from pg_locks
      where locktype = 'advisory' and classid = ${alivenessLock}::oid and objsubid = 2
        and database = (select oid from pg_database where datname = current_database())
        and objid = (hashtext(locked_by)::bigint & 4294967295)::oid)
    having count(*) > 0`)
  // every space: a keyed job that was replaced while it ran is never to run again. It has not failed; its worker died.
  await db.query(sql`
    select graphile_worker.complete_jobs(array_agg(id)) from graphile_worker.jobs
    where locked_at is null and attempts >= max_attempts and last_error is null
      and key is null and flags ? ${keyedFlag}
    having count(*) > 0`)
}
