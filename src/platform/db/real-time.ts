import { type Sql, sql } from './sql.ts'

/** By the database's clock: the one that all nodes have in common, and that no test moves. */
export const realNow = sql`clock_timestamp()`

/** How many milliseconds have really passed since a moment, fractions included; none since none. */
export const realAgeMs = (moment: Sql) => sql`(extract(epoch from ${realNow} - ${moment}) * 1000)::float8`
