import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import path from 'node:path'
import { parseArgs } from 'node:util'

/**
 * `npm run failover -- --kills 20 --lags 3 --patroni 5 --partitions 3`: fails over under load, as often as requested, in a network of
 * simulated machines with the files of docs/guides/high-availability.md. `--kills` kills the primary and promotes its synchronous
 * standby; `--lags` does so after the standby has not responded for seconds; `--patroni` kills Patroni and the primary;
 * `--switchovers` asks Patroni to exchange the servers; `--partitions` divides the network. Scenarios that are not named are left out; without any, each runs once. `--seed` repeats the
 * moments of an earlier run. Needs root, and Debian's packages postgresql-15, patroni, etcd-server, haproxy and iproute2.
 */
const scenarios = ['kills', 'lags', 'patroni', 'switchovers', 'partitions'] as const
const option = { type: 'string' } as const
const { values } = parseArgs({
  options: {
    kills: option,
    lags: option,
    patroni: option,
    switchovers: option,
    partitions: option,
    seed: option,
  },
})
const isNamed = scenarios.some((name) => values[name] !== undefined)
const counts = scenarios.map((name) => Number(values[name] ?? (isNamed ? 0 : 1)))
const seed = Number(values.seed ?? randomInt(2 ** 31))
if (![...counts, seed].every((count) => Number.isInteger(count) && count >= 0)) {
  console.error(`${scenarios.map((name) => `--${name}`).join(', ')} and --seed must be whole numbers from 0`)
  process.exit(1)
}

const fixedMs = 600_000
const msOfRound = 120_000
const rounds = counts.reduce((sum, count) => sum + count, 0)

console.log(
  `${rounds} rounds; to repeat these moments: ${scenarios.map((name, i) => `--${name} ${counts[i]}`).join(' ')} --seed ${seed}`,
)
const file = path.join('test', 'failover', 'failover.slow.test.ts')
const { status } = spawnSync(process.execPath, [path.join(import.meta.dirname, 'run.ts'), file], {
  stdio: 'inherit',
  cwd: path.resolve(import.meta.dirname, '..'),
  env: {
    ...process.env,
    ...Object.fromEntries(scenarios.map((name, i) => [`FAILOVER_${name.toUpperCase()}`, String(counts[i])])),
    FAILOVER_SHOW: '1',
    CRASH_SEED: String(seed),
    TEST_TIMEOUT_MS: String(fixedMs + rounds * msOfRound),
  },
})
process.exitCode = status ?? 1
