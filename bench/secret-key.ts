/** All programs of a benchmark use one database, whose keys are wrapped with a key derived from it. */
export const secretKey = 'only for benchmarks: protects nothing'
