import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { migrate } from '../../../packages/server/src/platform/db/migrate.ts'
import { newId } from '../../../packages/server/src/platform/ids.ts'
import { createTestDatabase, migrateOnlyTo } from '../../support/database.ts'

let place: Awaited<ReturnType<typeof createTestDatabase>>
let client: pg.Client
before(async () => {
  place = await createTestDatabase()
  client = new pg.Client(place.connection)
  await client.connect()
  await migrateOnlyTo(client, 14)
})
after(async () => {
  await client.end()
  await place.drop()
})

const spaces = ['0199a000-0000-7000-8000-000000000001', '0199a000-0000-7000-8000-000000000002']
const began = Date.UTC(2026, 10, 1)

/** The kinds of facts that existed: of an object, of an object and the lines of its posting, of lines only. */
const shapes = [
  { types: ['checkout_session.created'], lines: 0 },
  { types: ['internal_transfer.created', 'internal_transfer.completed'], lines: 2 },
  { types: [], lines: 3 },
]

/** Writes facts and one row for each of their events, as earlier releases did. Returns the last position. */
async function writeEvents(count: number): Promise<number> {
  const sequences = spaces.map(() => 0)
  let position = 0
  for (let i = 0; i < count; i++) {
    const { types, lines } = shapes[i % shapes.length]!
    const nth = i % spaces.length
    const at = new Date(began + i * 1_000)
    const [id, objectId] = [newId(at), newId(at)]
    const type = types[0]?.split('.')[0] ?? 'financial_transaction'
    const isOfLines = types.length === 0
    const { rows } = await client.query(
      `insert into event_facts (space_id, environment, id, object_type, object_id, data, at, types, posting)
       values ($1, 'live', $2, $3, $4, $5, $6, $7, $8) returning number`,
      [
        spaces[nth],
        id,
        type,
        ...(isOfLines ? [null, null] : [objectId, `{"n":${i}}`]),
        at,
        types,
        lines > 0 ? `p${i}` : null,
      ],
    )
    const events = [
      ...Array.from({ length: lines }, () => ['financial_transaction.created', newId(at)]),
      ...types.map((name) => [name, objectId]),
    ]
    for (const [place, [name, object]] of events.entries())
      await client.query(
        `insert into events (space_id, environment, position, sequence, id, type, object_id, fact_id, fact_number, at,
           latest_at)
         values ($1, 'live', $2, $3, event_id($4, $5), $6, $7, $4, $8, $9, $9)`,
        [spaces[nth], ++position, ++sequences[nth]!, id, place + 1, name, object, rows[0].number, at],
      )
  }
  return position
}

const columns = 'position, sequence, id, type, object_id, fact_id, fact_number, at, latest_at'

test('events of earlier releases stay as they are, with their deliveries, and their links in the chain remain valid', async () => {
  const last = await writeEvents(60)
  // Links ended after any event, even between two events of a fact.
  const digests = async () =>
    (
      await client.query(
        `select space_id, first, encode(events_digest(space_id, 'live', first, first + 7), 'hex') as digest
         from unnest($1::uuid[]) as space_id, generate_series(0, $2::int, 5) as first order by 1, 2`,
        [spaces, last],
      )
    ).rows
  const found = await digests()
  const { rows: written } = await client.query(`select space_id, ${columns} from events order by position`)
  assert.equal(written.length, last)
  await client.query(
    `insert into webhook_deliveries (space_id, environment, id, webhook_id, position, status, created_at)
     select space_id, environment, delivery_id(id, $1), $1, position, 'delivered', at from events`,
    [newId(new Date(began))],
  )
  await migrate(place.connection)
  const { rows: kept } = await client.query(
    `select space_id, event.* from unnest($1::uuid[]) as space_id, events_between(space_id, 'live', 0, $2) event
     order by position`,
    [spaces, last],
  )
  assert.deepEqual(kept, written)
  const { rows: delivered } = await client.query(
    `select d.position, event.id from webhook_deliveries d
     join sequenced_facts s on s.space_id = d.space_id and s.environment = d.environment and s.position = d.position - d.nth
     join lateral fact_events(s.space_id, s.environment, s.fact_number, s.line_ids) event on event.nth = d.nth
     order by d.position`,
  )
  assert.deepEqual(
    delivered,
    written.map(({ position, id }) => ({ position, id })),
  )
  assert.deepEqual(await digests(), found)
})
