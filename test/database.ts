import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { migrate } from '../src/platform/db/migrate.ts'

export type TestDatabase = { connection: pg.ClientConfig; drop(): Promise<void> }

/** A migrated database of its own on the server that TEST_DATABASE_URL names. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = process.env.TEST_DATABASE_URL
  if (!server) throw new Error('TEST_DATABASE_URL must name a server where databases may be created')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await onServer(server, `create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  const connection = { connectionString: url.href }
  await migrate(connection)
  return { connection, drop: () => onServer(server, `drop database ${name} with (force)`) }
}

async function onServer(connectionString: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}
