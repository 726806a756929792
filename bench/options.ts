import { parseArgs } from 'node:util'

export const parts = [
  'database',
  'framework',
  'in-process',
  'http',
  'deliveries',
  'dials',
  'payments',
  'payouts',
  'refunds',
  'routes',
] as const
export type Part = (typeof parts)[number]

export type Options = {
  only: Part[]
  seconds: number
  warmUpSeconds: number
  connections: number
  inFlight: number
  /** Requests per second of the open loop; `undefined` if only closed loops are run. */
  rate: number | undefined
  accounts: number
  spaces: number
  codes: number
  /** Numbers of concurrent payments. Each number is measured in its own row. */
  payers: number[]
  historyLines: number
  folder: string | undefined
  json: string | undefined
  /** A commit to compare this tree with, and the number of alternating runs of each. */
  against: string | undefined
  rounds: number
}

export const help = `npm run bench -- [options]: measures this machine's limits and the service

  --only LIST         some of ${parts.join(',')} (default: all)
  --seconds N         duration of each row (3)
  --warm-up N         seconds before that (1)
  --connections N     connections of the closed loops (64)
  --in-flight N       concurrent calls, in process (1000)
  --rate N            also an open loop: N HTTP requests per second, regardless of responses
  --accounts N        accounts that the load is spread over (10000)
  --spaces N          Spaces of the rows over many; they share the accounts and the codes (1000)
  --codes N           live payment codes that phones dial (200000)
  --payers LIST       concurrent payments, one row each (50,200,2000)
  --history N         measure, grow the ledger to N lines, measure again
  --folder FOLDER     folder of the temporary data, whose disk is measured (the system's temporary folder)
  --json FILE         output file (bench/results/<yyyymmdd-hhmm>.json)
  --against COMMIT    compare this tree with a commit: both are measured in turn, with these options
  --rounds N          runs of each tree (5)
  --help

Starts its own PostgreSQL and removes it afterwards. With DATABASE_URL set, uses that database, which must be empty.
`

/** Thrown for an invalid option, or for an option that specifies an unusable file. The message is one line. */
export class OptionError extends Error {}

/** Returns `undefined` if only help was requested. */
export function readOptions(args: string[]): Options | undefined {
  const given = parse(args)
  if (given.help) return undefined
  const whole = (
    name: Exclude<keyof typeof given, 'help' | 'payers'>,
    fallback: number,
    min: number,
    max: number,
  ) => (given[name] === undefined ? fallback : wholeOption(name, given[name], min, max))
  return {
    only: given.only === undefined ? [...parts] : partsOption(given.only),
    seconds: given.seconds === undefined ? 3 : secondsOption('seconds', given.seconds, 0.1),
    warmUpSeconds: given['warm-up'] === undefined ? 1 : secondsOption('warm-up', given['warm-up'], 0),
    connections: whole('connections', 64, 1, 80),
    inFlight: whole('in-flight', 1000, 1, 10_000),
    rate: given.rate === undefined ? undefined : wholeOption('rate', given.rate, 1, 100_000),
    accounts: whole('accounts', 10_000, 2, 1_000_000),
    spaces: whole('spaces', 1000, 1, 100_000),
    codes: whole('codes', 200_000, 1, 100_000_000),
    payers: (given.payers ?? '50,200,2000').split(',').map((one) => wholeOption('payers', one, 1, 10_000)),
    historyLines: whole('history', 0, 0, 100_000_000),
    folder: given.folder,
    json: given.json,
    against: given.against,
    rounds: whole('rounds', 5, 1, 100),
  }
}

const maxSeconds = 3600
const text = { type: 'string' } as const

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        only: text,
        seconds: text,
        'warm-up': text,
        connections: text,
        'in-flight': text,
        rate: text,
        accounts: text,
        spaces: text,
        codes: text,
        payers: text,
        history: text,
        folder: text,
        json: text,
        against: text,
        rounds: text,
        help: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    throw new OptionError(`${(error as Error).message.split('. ', 1)[0]} (--help lists the options)`)
  }
}

function wholeOption(name: string, given: string, min: number, max: number): number {
  const value = Number(given)
  if (!/^\d+$/.test(given) || value < min || value > max)
    throw new OptionError(`--${name} must be a whole number from ${min} to ${max}`)
  return value
}

function secondsOption(name: string, given: string, min: number): number {
  const value = Number(given)
  if (!/^\d+(?:\.\d+)?$/.test(given) || value < min || value > maxSeconds)
    throw new OptionError(`--${name} must be a number of seconds from ${min} to ${maxSeconds}`)
  return value
}

function partsOption(given: string): Part[] {
  const names = given.split(',')
  const unknown = names.find((name) => !parts.includes(name as Part))
  if (unknown !== undefined) throw new OptionError(`--only accepts ${parts.join(', ')}, not "${unknown}"`)
  return parts.filter((part) => names.includes(part))
}
