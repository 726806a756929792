import type { Database, Reader } from './db/database.ts'
import { sql } from './db/sql.ts'
import { selectLiving } from './jobs/job-store.ts'
import type { Log } from './log.ts'
import { programVersion } from './version.ts'

/** A process that serves requests or runs jobs, or did so in the past. */
export type NodeRecord = {
  node: number
  version: string
  serves: boolean
  works: boolean
  startedAt: Date
  /** The time at which the process shut down; `null` if it is running or died. */
  stoppedAt: Date | null
}

/** Woken when a node starts or stops. */
export const nodesChannel = 'nodes'

const keptDays = 7 // days for which a stopped node is listed

export type NodeDuty = 'serves' | 'works'

/**
 * Returns functions that record that this node has started to serve requests or run jobs, and that it has
 * stopped.
 */
export const recordNode = ({ db, log }: { db: Database; log: Log }) => ({
  async begins(duty: NodeDuty): Promise<void> {
    const living = await selectLiving(db)
    await db.transaction(async (tx) => {
      await tx.run(sql`
        delete from nodes where started_at < now() - ${keptDays}::int * interval '1 day'
          and not node = any(${living}::int[])`)
      await tx.run(sql`
        insert into nodes as kept (node, version, serves, works, decrypts)
        values (${db.node}, ${programVersion()}, ${duty === 'serves'}, ${duty === 'works'}, true)
        on conflict (node) do update
        set serves = kept.serves or excluded.serves, works = kept.works or excluded.works`)
      tx.wake(nodesChannel)
    })
  },
  /** Records that the node has stopped, unless the database is unavailable. */
  async ends(): Promise<void> {
    await db
      .transaction(async (tx) => {
        await tx.run(sql`update nodes set stopped_at = now() where node = ${db.node}`)
        tx.wake(nodesChannel)
      })
      .catch((err) => log.warn({ err }, 'failed to record that this node has stopped'))
  },
})

/** Selects the nodes that are running, by number. */
export const selectLivingNodes = async (db: Reader): Promise<Pick<NodeRecord, 'node' | 'works'>[]> => {
  const living = await selectLiving(db)
  return db.query<Pick<NodeRecord, 'node' | 'works'>>(sql`
    select node, works from nodes where node = any(${living}::int[]) and stopped_at is null order by node`)
}

const maxListed = 100 // nodes shown in the operator’s list, newest first

/** Lists the nodes, newest first, and whether each of them is alive. */
export async function listNodes(db: Reader): Promise<(NodeRecord & { isAlive: boolean })[]> {
  const living = new Set(await selectLiving(db))
  const nodes = await db.query<NodeRecord>(sql`
    select node, version, serves, works, started_at, stopped_at from nodes
    order by started_at desc, node limit ${maxListed}`)
  return nodes.map((record) => ({ ...record, isAlive: living.has(record.node) }))
}
