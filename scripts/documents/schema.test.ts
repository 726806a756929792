import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { createTestDatabase } from '../../test/support/database.ts'
import { writeSchema } from './schema.ts'

test('the dump, loaded into an empty database, recreates its schema', async () => {
  const migrated = await createTestDatabase({ template: 'pesewa_schema' })
  const empty = await createTestDatabase({ template: 'template0' })
  try {
    const schema = await withClient(migrated.connection, writeSchema)
    const again = await withClient(empty.connection, async (client) => {
      await client.query(schema)
      return writeSchema(client)
    })
    assert.equal(again, schema)
  } finally {
    await migrated.drop()
    await empty.drop()
  }
})

async function withClient<T>(
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
