import { connect } from 'node:net'
import pg from 'pg'
import { readId } from '../../packages/server/src/platform/ids.ts'
import { spaceIds } from '../../packages/server/src/tenants/spaces/resources.ts'
import { ask, type Program } from './program.ts'

/**
 * Holds idempotency keys in a separate transaction, so that requests with these keys wait until they are released.
 */
export async function holdKeys(connection: pg.ClientConfig, shownSpaceId: string, keys: string[]) {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  await client.query('begin')
  await client.query(
    `insert into idempotency_keys (space_id, environment, key, fingerprint)
     select $1, 'test', key, '' from unnest($2::text[]) key`,
    [readId(spaceIds, shownSpaceId), keys],
  )
  return {
    async release() {
      await client.query('rollback')
      await client.end()
    },
  }
}

/** Counts the program's statements that wait for a lock. */
export const waitingBackends = async (connection: pg.ClientConfig): Promise<number> =>
  Number(
    (
      await ask(
        connection,
        `select count(*) from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and application_name = 'pesewa'`,
      )
    )[0].count,
  )

export const refusesConnections = ({ baseUrl }: Program) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1')
    socket.once('connect', () => resolve(socket.destroy() && false))
    socket.once('error', () => resolve(true))
  })
