import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { createTestDatabase } from '../../../../../test/support/database.ts'
import { bigints, booleans, byteas, ints, texts, times, uuids } from './arrays.ts'
import { type Database, openDatabase } from './database.ts'
import { type Sql, sql } from './sql.ts'

let place: Awaited<ReturnType<typeof createTestDatabase>>
let db: Database
before(async () => {
  place = await createTestDatabase()
  db = openDatabase(place.connection, { maxConnections: 2, onIdleError: () => {} })
})
after(async () => {
  await db.close()
  await place.drop()
})

const small = { maxLength: 20 }
const text = fc.string({ unit: 'binary' }).filter((value) => !value.includes('\0') && value.isWellFormed())
const nullable = <T>(values: fc.Arbitrary<T>) => fc.array(fc.option(values), small)

/** Asserts that PostgreSQL decodes each array to the original values. */
const keeps = <T>(name: string, values: fc.Arbitrary<T[]>, send: (values: T[]) => Sql) =>
  test(`an array of ${name} arrives unchanged, including when empty and at the limits of its type`, () =>
    fc.assert(
      fc.asyncProperty(values, async (given) => {
        const row = await db.one<{ back: T[] }>(sql`select ${send(given)} as back`)
        assert.deepEqual(row!.back, given)
      }),
      { numRuns: 100 },
    ))

keeps('texts', nullable(text), (given) => sql`${texts(given)}::text[]`)
keeps('uuids', nullable(fc.uuid()), (given) => sql`${uuids(given)}::uuid[]`)
keeps('booleans', nullable(fc.boolean()), (given) => sql`${booleans(given)}::boolean[]`)
keeps('ints', nullable(fc.integer()), (given) => sql`${ints(given)}::int[]`)
keeps(
  'bigints',
  fc.array(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), small).map((list) => list.map(String)),
  (given) => sql`${bigints(given.map(BigInt))}::bigint[]::text[]`,
)
keeps(
  'times',
  nullable(fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })),
  (given) => sql`${times(given)}::timestamptz[]`,
)
keeps(
  'bytes',
  fc.array(
    fc.uint8Array().map((bytes) => Buffer.from(bytes)),
    small,
  ),
  (given) => sql`${byteas(given)}::bytea[]`,
)
