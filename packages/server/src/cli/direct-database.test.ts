import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

/** The files of commands that use the database themselves, each with the reason why it does not call the API. */
const direct: Record<string, string> = {
  'explanation.ts': 'explains errors of the database',
  'operator/command-database.ts': 'opens the database for the files below',
  'operator/in-process.ts': 'opens the database for the routes that it calls in this process',
  'doctor/': 'the doctor examines the database itself',
  'operator/backup-actions.ts': 'backup and restore copy the database itself',
  'operator/migrate-action.ts': 'migrate prepares the database',
  'operator/verify-action.ts': 'verify must also work if the service, or its operators, cannot be trusted',
  'operator/key-actions.ts': 'a new master key is known only to whoever runs the command',
  'operator/recovery-actions.ts': 'nobody can sign in yet, or what is printed gives access as another person',
  // An imported file can have five million lines, which are read one by one in one transaction. A request body
  // contains at most 4 MiB. Simulated statements come from the simulator, not from the API.
  'operator/reconcile-actions.ts': 'imported files and simulated statements have any size',
}

test('commands call the API, and only the listed files use the database themselves', () => {
  const files = globSync('**/*.ts', { cwd: import.meta.dirname, exclude: ['**/*.test.ts'] })
  const using = files.filter((file) =>
    /from '[^']*(?:\/database|\/command-database|\/db\/[\w-]+|[/-]store)\.ts'|import\('[^']*\/(?:database|command-database)\.ts'\)/.test(
      readFileSync(path.join(import.meta.dirname, file), 'utf8').replace(/import type [^']*'[^']*'/g, ''),
    ),
  )
  const placeOf = (file: string) => (file.startsWith('doctor/') ? 'doctor/' : file)
  assert.deepEqual([...new Set(using.map(placeOf))].sort(), Object.keys(direct).sort())
})
