import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ConfigError } from './platform/config.ts'

/** What scripts read from `data/demo.json`. */
export type Demo = {
  baseUrl: string
  spaceId: string
  testToken: string
  liveToken: string
  financialAccountId: string
  /** The page of simulated handsets. */
  simulatorUrl: string
  /** Where a script may dial as the simulated aggregator does, with its secret. */
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
    throw new ConfigError(`${file} is not JSON any more: mend it, or remove it`)
  }
}

/** The file is replaced as a whole: its mode holds, and a start that is killed leaves no half of it. */
export function saveDemo(dataDir: string, demo: Demo): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const file = demoFile(dataDir)
  writeFileSync(`${file}.new`, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}
