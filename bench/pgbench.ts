import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Books } from './books.ts'
import { spawnChild } from './children.ts'
import type { BenchDatabase } from './database.ts'
import type { Figures } from './pace.ts'
import type { Target } from './transfer.ts'

/** Returns the version, such as `15.18`; `undefined` if pgbench is not on the PATH. */
export function findPgbench(): string | undefined {
  const { status, stdout } = spawnSync('pgbench', ['--version'], { encoding: 'utf8' })
  return status === 0 ? /\d[\d.]*/.exec(stdout)?.[0] : undefined
}

/** Chooses accounts in the same way as `chooseAccounts`. */
const choices: Record<Exclude<Target, 'Spaces'>, string> = {
  spread: `\\set source random(1, :accounts)
\\set destination 1 + (:source + random(0, :accounts - 2)) % :accounts`,
  hot: `\\set one random(1, :accounts)
\\set isSource random(0, 1)
\\set source :one * :isSource
\\set destination :one - :source`,
}

/** Calls the function for the given time; each connection repeats its call as soon as it has a response. */
export async function runPgbench(
  { url, folder }: BenchDatabase,
  { scope, accounts }: Books,
  { target, connections, seconds }: { target: keyof typeof choices; connections: number; seconds: number },
): Promise<Figures> {
  const own = mkdtempSync(path.join(folder, 'pgbench-'))
  try {
    const script = path.join(own, 'script.sql')
    const call = `select bench.transfer('${scope.spaceId}', '${scope.environment}', :source, :destination);`
    writeFileSync(script, `${choices[target]}\n${call}\n`)
    const child = spawnChild(
      'pgbench',
      [
        ...['--no-vacuum', '--protocol=prepared', `--file=${script}`, `--define=accounts=${accounts}`],
        ...[`--client=${connections}`, `--jobs=${Math.min(2, connections)}`, `--time=${Math.ceil(seconds)}`],
        ...['--log', `--log-prefix=${path.join(own, 'log')}`, url],
      ],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    )
    let [said, complained] = ['', '']
    child.stdout!.setEncoding('utf8').on('data', (text) => (said += text))
    child.stderr!.setEncoding('utf8').on('data', (text) => (complained += text))
    const [code] = await once(child, 'close')
    if (code !== 0) throw new Error(`pgbench ended with ${code}: ${complained}`)
    return figuresOf(said, latenciesOf(own))
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
}

/**
 * Reads the latencies, in microseconds, from pgbench's logs; the columns are client, number, latency, script
 * and time.
 */
function latenciesOf(folder: string): Float64Array {
  const latencies: number[] = []
  for (const file of readdirSync(folder).filter((name) => name.startsWith('log')))
    for (const line of readFileSync(path.join(folder, file), 'utf8').split('\n')) {
      const microseconds = line.split(' ', 3)[2]
      if (microseconds !== undefined) latencies.push(Number(microseconds))
    }
  return new Float64Array(latencies).sort()
}

function figuresOf(said: string, latencies: Float64Array): Figures {
  const perSecond = Number(/tps = ([\d.]+) \(without/.exec(said)?.[1] ?? Number.NaN)
  const failed = Number(/failed transactions: (\d+)/.exec(said)?.[1] ?? 0)
  const at = (share: number) => (latencies[Math.ceil(share * latencies.length) - 1] ?? 0) / 1000
  return {
    seconds: latencies.length / perSecond,
    done: latencies.length,
    failed,
    dropped: 0,
    perSecond,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    maxMs: at(1),
    failure: failed > 0 ? 'see pgbench' : undefined,
  }
}
