import pg from 'pg'
import { type App, openApp } from '../packages/server/src/app.ts'
import { readSettings } from '../packages/server/src/slices.ts'
import { writeChartAlerts, writeStart } from './documents/alerts.ts'
import { writeCommands } from './documents/commands.ts'
import { writeConfigExample } from './documents/config-example.ts'
import { writeCountries } from './documents/countries.ts'
import { writeCurrencies, writeSdkCurrencies } from './documents/currencies.ts'
import { writeDecisions } from './documents/decisions.ts'
import { writeErrors } from './documents/errors.ts'
import { writeEventTypes } from './documents/event-types.ts'
import { writeEvents } from './documents/events.ts'
import { writeFolders } from './documents/folders.ts'
import { writeLimits } from './documents/limits.ts'
import { writeMetrics } from './documents/metrics.ts'
import { writePermissions } from './documents/permissions.ts'
import { writeProviders } from './documents/providers.ts'
import { writeRails } from './documents/rails.ts'
import { writeSchema } from './documents/schema.ts'
import { writeSdkOperations, writeSdkResources, writeSdkSession } from './documents/sdk-resources.ts'
import { writeSdkTypes } from './documents/sdk-types.ts'
import { writeSettings } from './documents/settings.ts'
import { writeShownFiles } from './documents/shown-files.ts'

/** The source of the documents: the application on a migrated database. It does not serve requests. */
export type DocumentSource = { app: App; client: pg.Client; close(): Promise<void> }

/** An expected file; `file` is relative to the repository. */
export type Document = { file: string; text: string }

/** Opens the application with default settings. */
export async function openForDocuments(connection: pg.ClientConfig): Promise<DocumentSource> {
  // This key signs nothing. Without it, a key would be generated in the data folder.
  const app = await openApp(
    readSettings({ SECRET_KEY: 'only for writing documents, never signs', SIMULATOR: 'on' }),
    connection,
  )
  const client = new pg.Client(connection)
  await client.connect()
  return {
    app,
    client,
    async close() {
      await client.end()
      await app.close()
    },
  }
}

/** Returns every generated file. */
export async function documentsOf({ app, client }: DocumentSource): Promise<Document[]> {
  return [
    { file: 'packages/server/src/README.md', text: writeFolders() },
    { file: 'packages/rails/README.md', text: writeRails() },
    { file: 'packages/console/src/text/countries.ts', text: writeCountries() },
    { file: 'packages/console/src/api/event-types.ts', text: writeEventTypes() },
    { file: 'packages/console/src/text/currencies.ts', text: writeCurrencies() },
    { file: 'packages/sdk/src/generated/currencies.ts', text: writeSdkCurrencies() },
    { file: 'packages/sdk/src/generated/operations.ts', text: writeSdkOperations(app.routes) },
    { file: 'packages/sdk/src/generated/resources.ts', text: writeSdkResources(app.routes) },
    { file: 'packages/sdk/src/generated/session.ts', text: writeSdkSession(app.routes) },
    { file: 'packages/sdk/src/generated/types.ts', text: writeSdkTypes(app.routes) },
    { file: 'config.example.env', text: writeConfigExample() },
    { file: 'deploy/chart/files/alerts.yaml', text: writeChartAlerts() },
    { file: 'docs/guides/install.md', text: writeStart() },
    ...writeShownFiles(),
    { file: 'packages/server/schema.sql', text: await writeSchema(client) },
    { file: 'docs/decisions/README.md', text: writeDecisions() },
    { file: 'docs/reference/commands.md', text: writeCommands() },
    { file: 'docs/reference/errors.md', text: writeErrors() },
    { file: 'docs/reference/events.md', text: writeEvents(app.routes) },
    { file: 'docs/reference/limits.md', text: await writeLimits(client) },
    { file: 'docs/reference/metrics.md', text: writeMetrics(app.parts.metrics.registry) },
    { file: 'docs/reference/permissions.md', text: writePermissions() },
    {
      file: 'docs/reference/providers.md',
      text: await writeProviders(app.parts.catalogue, app.parts.seals),
    },
    { file: 'docs/reference/settings.md', text: writeSettings() },
  ]
}
