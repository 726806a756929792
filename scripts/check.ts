import { spawn } from 'node:child_process'
import path from 'node:path'

/**
 * `npm run check`: all static checks. Prints one line per check, then the output of those that failed. None
 * needs the network.
 */
const checks: Record<string, string[]> = {
  'format and lint': ['biome', 'ci', '--error-on-warnings', '--diagnostic-level=warn', '--colors=off'],
  types: ['tsc', '--noEmit'],
  'console types': ['tsc', '--noEmit', '-p', 'packages/console'],
  'SDK types': ['tsc', '--noEmit', '-p', 'packages/sdk'],
  'import rules': [
    process.execPath,
    ...[
      '--import',
      './scripts/typescript-6.mjs',
      'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
    ],
    ...['--config', '.dependency-cruiser.mjs', 'packages'],
  ],
  'dead code': ['knip', '--no-config-hints'],
  'Markdown links': ['remark', '--frail', '--quiet', '--no-stdout', '--no-color', '.'],
  'generated files are up to date': [process.execPath, 'scripts/write.ts', '--check'],
  'OpenAPI document': [process.execPath, 'scripts/lint-openapi.ts'],
  'package-lock.json': ['npm', 'ci', '--dry-run', '--offline', '--ignore-scripts', '--loglevel=error'],
}

const root = path.resolve(import.meta.dirname, '..')
const environment = {
  ...process.env,
  PATH: [path.join(root, 'node_modules', '.bin'), process.env.PATH].join(path.delimiter),
  NO_COLOR: '1',
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
}

type Result = { name: string; isOk: boolean; output: string }

const results = await Promise.all(Object.entries(checks).map(([name, command]) => run(name, command)))
for (const { name, output } of results.filter(({ isOk }) => !isOk)) {
  console.log(`\n── ${name} ──\n${output.trim()}`)
  process.exitCode = 1
}

async function run(name: string, [program, ...args]: string[]): Promise<Result> {
  const startedAt = performance.now()
  const { isOk, output } = await outputOf(program!, args)
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(`${isOk ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)`)
  return { name, isOk, output }
}

function outputOf(program: string, args: string[]): Promise<{ isOk: boolean; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root, env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        output += text
      })
    child.once('error', (error) =>
      resolve({ isOk: false, output: `could not run ${program}: ${error.message}` }),
    )
    child.once('close', (code) => resolve({ isOk: code === 0, output }))
  })
}
