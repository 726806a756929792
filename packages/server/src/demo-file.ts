import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ConfigError } from './platform/config.ts'

/** Contents of `data/demo.json`, which scripts can read. */
export type Demo = {
  baseUrl: string
  spaceId: string
  testToken: string
  liveToken: string
  /** Null until the month of business has been written. */
  financialAccountId: string | null
  /** URL of the page with the simulated handsets. */
  simulatorUrl: string
  /** URL, including its secret, with which a script can act as the simulated USSD aggregator. */
  ussdUrl: string
}

const demoFile = (dataDir: string) => path.join(dataDir, 'demo.json')

export function readDemo(dataDir: string): Demo | undefined {
  const file = demoFile(dataDir)
  if (!existsSync(file)) return undefined
  try {
    const demo: Demo = JSON.parse(readFileSync(file, 'utf8'))
    return demo
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new ConfigError(`${file} is not valid JSON: fix or remove it`)
  }
}

/** Writes a new file and renames it. This gives the file the correct mode, and never leaves a partial file. */
export function saveDemo(dataDir: string, demo: Demo): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const file = demoFile(dataDir)
  writeFileSync(`${file}.new`, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}
