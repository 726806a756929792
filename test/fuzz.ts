import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import path from 'node:path'
import { parseArgs } from 'node:util'

/**
 * `npm run fuzz -- --responses 10000`: gives every call of every rail's connector this many damaged responses;
 * `npm test` uses only a few. `--seed` repeats the responses of an earlier run, and `--of 'paystack collect'`
 * limits the run to some calls.
 */
const { values } = parseArgs({
  options: { responses: { type: 'string' }, seed: { type: 'string' }, of: { type: 'string' } },
})
const [responses, seed] = [Number(values.responses ?? 10_000), Number(values.seed ?? randomInt(2 ** 31))]
if (!Number.isInteger(responses) || responses < 1 || !Number.isInteger(seed)) {
  console.error('--responses must be a whole number from 1, and --seed a whole number')
  process.exit(1)
}

console.log(`${responses} responses to each call; to repeat them: --responses ${responses} --seed ${seed}`)
const { status } = spawnSync(
  process.execPath,
  [
    '--test',
    '--test-reporter=spec',
    ...(values.of === undefined ? [] : [`--test-name-pattern=${values.of}`]),
    path.join('test', 'fuzz', 'outcomes.test.ts'),
  ],
  {
    stdio: 'inherit',
    cwd: path.resolve(import.meta.dirname, '..'),
    env: { ...process.env, FUZZ_RESPONSES: String(responses), FUZZ_SEED: String(seed) },
  },
)
process.exitCode = status ?? 1
