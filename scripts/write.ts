import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startEmbeddedPostgres } from '@pesewa/embedded-postgres'
import { migrate } from '../packages/server/src/platform/db/migrate.ts'
import { type Document, documentsOf, openForDocuments } from './documents.ts'

/**
 * `npm run write`: regenerates all generated files, using a freshly migrated database. With `--check`, only
 * lists outdated files and exits with 1.
 */
const root = path.resolve(import.meta.dirname, '..')
const isCheck = process.argv.includes('--check')

for (const { file, text } of (await written()).filter(isStale)) {
  console.log(isCheck ? `${file} is outdated: run npm run write` : file)
  if (isCheck) process.exitCode = 1
  else writeDocument(path.join(root, file), text)
}

async function written(): Promise<Document[]> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'pesewa-write-'))
  // If root runs this, the server runs as another user. That user must be able to access the folder, because
  // otherwise the server's files would be stored elsewhere and not be removed.
  chmodSync(dataDir, 0o755)
  const postgres = await startEmbeddedPostgres({ dataDir })
  try {
    await migrate(postgres.connection)
    const source = await openForDocuments(postgres.connection)
    try {
      return await documentsOf(source)
    } finally {
      await source.close()
    }
  } finally {
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

function isStale({ file, text }: Document): boolean {
  try {
    return readFileSync(path.join(root, file), 'utf8') !== text
  } catch {
    return true
  }
}

function writeDocument(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
}
