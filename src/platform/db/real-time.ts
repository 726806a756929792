import { type Sql, sql } from './sql.ts'

/** The real time by the database's clock, which all nodes share and no test moves. */
export const realNow = sql`clock_timestamp()`

/** SQL for the real milliseconds since a time, with fractions; null if the time is null. */
export const realAgeMs = (moment: Sql) => sql`(extract(epoch from ${realNow} - ${moment}) * 1000)::float8`
