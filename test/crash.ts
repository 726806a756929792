import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import path from 'node:path'
import { parseArgs } from 'node:util'

/**
 * `npm run crash -- --rounds 100`: kills the program at random moments, many times (`npm run test:all` does so
 * a few times). `--nodes 2` keeps a second node running next to the one that is killed. `--seed` repeats the
 * moments of an earlier run. Names select files: `npm run crash -- rails --rounds 100`.
 */
const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string' }, seed: { type: 'string' }, nodes: { type: 'string' } },
  allowPositionals: true,
})
const [rounds, seed] = [Number(values.rounds ?? 100), Number(values.seed ?? randomInt(2 ** 31))]
const nodes = values.nodes ?? '1'
if (!Number.isInteger(rounds) || rounds < 1 || !Number.isInteger(seed) || !['1', '2'].includes(nodes)) {
  console.error('--rounds must be a whole number from 1, --seed a whole number, and --nodes 1 or 2')
  process.exit(1)
}
const all = ['payment', 'events', 'instructions', 'rails', 'batches', 'bills', 'links', 'bad-days', 'restore']
const unknown = positionals.find((name) => !all.includes(name))
if (unknown !== undefined) {
  console.error(`there is no crash test "${unknown}"; choose from ${all.join(', ')}`)
  process.exit(1)
}

const fixedMs = 120_000
const msOfRound = 30_000

console.log(`${rounds} rounds; to repeat these moments: --rounds ${rounds} --seed ${seed} --nodes ${nodes}`)
const files = (positionals.length > 0 ? positionals : all).map((name) =>
  path.join('test', 'crash', `${name}.slow.test.ts`),
)
const { status } = spawnSync(process.execPath, [path.join(import.meta.dirname, 'run.ts'), ...files], {
  stdio: 'inherit',
  cwd: path.resolve(import.meta.dirname, '..'),
  env: {
    ...process.env,
    CRASH_ROUNDS: String(rounds),
    CRASH_SEED: String(seed),
    CRASH_NODES: nodes,
    TEST_TIMEOUT_MS: String(fixedMs + rounds * msOfRound),
  },
})
process.exitCode = status ?? 1
