import { type Sql, sql } from './sql.ts'

/**
 * SQL for the current time according to the database's clock, which is shared by all nodes and not affected by
 * test clocks.
 */
export const realNow = sql`clock_timestamp()`

/**
 * Returns SQL for the number of milliseconds since a time, with fractions, according to the database's clock.
 * The result is null if the time is null.
 */
export const realAgeMs = (moment: Sql) => sql`(extract(epoch from ${realNow} - ${moment}) * 1000)::float8`
