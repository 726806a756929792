import type { Client } from 'pg'
import type { Scope } from '../../packages/server/src/platform/scope.ts'

/**
 * The columns whose values differ in each copy, as SQL expressions. In them, `n` is the number of the copy, and
 * `moment` is its time. All other columns are copied.
 */
type Own = Record<string, string>

const rowsAtOnce = 500_000

/**
 * Copies the newest matching row of a table, or the only one if the table has no ids, in a Space `count` times.
 * The times of the copies are in the past, one second apart. Drops the indexes first and rebuilds them at the end, which is much faster.
 */
export async function copyRow(
  client: Client,
  { spaceId, environment }: Scope,
  { table, like, own, count }: { table: string; like: string; own: Own; count: number },
): Promise<void> {
  const restore = await dropIndexes(client, table)
  const { rows: columns } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  )
  const newest = columns.some(({ name }) => name === 'id') ? 'order by id desc' : ''
  const names = columns.map(({ name }) => `"${name}"`)
  const values = columns.map(({ name }) =>
    name === 'id' ? 'row.copy_id' : (own[name] ?? `source."${name}"`),
  )
  for (let first = 1; first <= count; first += rowsAtOnce)
    await client.query(
      `insert into ${table} (${names.join(', ')})
       select ${values.join(', ')}
       from (select * from ${table} where space_id = $1 and environment = $2 and ${like} ${newest} limit 1) source
       cross join lateral (
         select n, moment, (bench.id_time(moment) || substr(gen_random_uuid()::text, 16))::uuid as copy_id
         from generate_series($3::bigint, $4::bigint) n
         cross join lateral (select date_trunc('milliseconds', now()) - ($5::bigint - n) * interval '1 second' - interval '1 hour' as moment) time
         where source.space_id is not null
       ) row`,
      [spaceId, environment, first, Math.min(count, first + rowsAtOnce - 1), count],
    )
  await restore()
}

/** Drops indexes that do not belong to a constraint; returns a function that rebuilds them. */
async function dropIndexes(client: Client, table: string): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid = $1::regclass and not exists (select from pg_constraint where conindid = indexrelid)`,
    [table],
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  return async () => {
    for (const { definition } of rows) await client.query(definition)
  }
}
