import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describeApi } from '../packages/server/src/app.ts'

/** Part of `npm run check`: builds the OpenAPI document and lints it with the rules in redocly.yaml. */
const folder = mkdtempSync(path.join(tmpdir(), 'pesewa-openapi-'))
try {
  const file = path.join(folder, 'openapi.json')
  writeFileSync(file, JSON.stringify(await describeApi(), null, 2))
  const { status } = spawnSync('redocly', ['lint', file, '--config', 'redocly.yaml'], { stdio: 'inherit' })
  process.exitCode = status ?? 1
} finally {
  rmSync(folder, { recursive: true })
}
