import type { Static } from 'typebox'
import type { Database, Tx } from '../../platform/db/database.ts'
import { type Call, command, list, type Route, read } from '../../platform/http/commands/route.ts'
import { pathName } from '../../platform/http/shapes/shapes.ts'
import { enqueue, outsideSpaces } from '../../platform/jobs/queue.ts'
import { Issues, Refusal } from '../../platform/refusals.ts'
import type { Catalogue } from '../../rails/connections/catalogue.ts'
import { actorOf } from '../../tenants/spaces/deciders.ts'
import { importInto } from './imports.ts'
import { matchJob } from './jobs.ts'
import { namedMapping } from './named-mappings.ts'
import {
  exampleCsv,
  matchedStatement,
  maxStatementBytes,
  newStatement,
  statementShape,
} from './statement-shapes.ts'
import { countMatched, type Statement, selectStatement, selectStatements } from './statement-store.ts'

const url = '/v1/installation/statements'
const maxCountedLines = 10_000 // maximum number of lines of a statement that the API counts as matched or open

type Parts = { db: Database; catalogue: Catalogue }

/** Routes to import provider statements and to see how much of each is matched. */
export const statementRoutes = ({ db, catalogue }: Parts): Route[] => [
  list({
    url,
    permission: 'installation:read',
    summary: 'List provider statements',
    about: 'Newest import first.',
    result: statementShape,
    list: (_call, page) => selectStatements(db, page),
    position: ({ id }) => String(id),
    present: presentStatement,
  }),
  read({
    url: `${url}/:statementId`,
    params: { statementId: pathName('Number of the statement.', '42') },
    permission: 'installation:read',
    summary: 'Retrieve a provider statement',
    about: 'Includes how much of it is matched.',
    result: matchedStatement,
    read: async ({ params: { statementId = '' } }) => {
      const statement = /^\d{1,18}$/.test(statementId) ? await selectStatement(db, statementId) : undefined
      if (!statement) return undefined
      const { looked, matched } = await countMatched(db, statement, maxCountedLines)
      return {
        ...presentStatement(statement),
        matchedLines: matched,
        openLines: looked - matched,
        estimated: looked === maxCountedLines,
      }
    },
  }),
  command({
    url,
    permission: 'installation:write',
    summary: 'Import a provider statement',
    about: 'Imports all lines or none. Matching starts in the background.',
    reasons: ['state_conflict'],
    result: statementShape,
    body: newStatement,
    maxBodyBytes: maxStatementBytes,
    example: {
      providerId: 'm17',
      environment: 'test',
      mapping: 'simulator',
      csv: exampleCsv,
    },
    rules: [
      { about: ['providerId'], says: '`providerId` must be a provider in the catalogue.' },
      {
        about: ['csv'],
        says: '`csv` must have the columns of its mapping and only readable lines; no line may contradict an earlier statement or fall on a closed day.',
      },
    ],
    validate: (_db, { body: { providerId } }, issues) => checkProvider(catalogue, providerId, issues),
    write: (tx, call) => importCsv(tx, catalogue, call),
  }),
]

/** Adds an issue if the provider is unknown. */
export function checkProvider(catalogue: Catalogue, providerId: string | undefined, issues: Issues): void {
  if (providerId !== undefined && !catalogue.find(providerId))
    issues.add('providerId', 'is not a provider in the catalogue')
}

async function importCsv(tx: Tx, catalogue: Catalogue, call: Call<unknown, Static<typeof newStatement>>) {
  const { body, now } = call
  const issues = new Issues()
  checkProvider(catalogue, body.providerId, issues)
  issues.refuse()
  const { providerId, environment, csv, mapping, fileName = 'statement.csv', from, until } = body
  const by = await actorOf(tx, call)
  const { id } = await importInto(tx, {
    providerId,
    environment,
    content: { text: csv },
    name: fileName,
    by,
    mapping: namedMapping(mapping),
    from: from === undefined ? undefined : new Date(from),
    until: until === undefined ? undefined : new Date(until),
    at: now,
  }).catch(asCsvIssues)
  enqueue(
    tx,
    matchJob,
    { ...outsideSpaces, providerId, of: environment },
    `match ${environment} ${providerId}`,
  )
  const statement = await selectStatement(tx, String(id))
  if (!statement) throw new Error('imported statement not found')
  return presentStatement(statement)
}

/** Reports all issues with the lines of a file under the field `csv`. */
function asCsvIssues(error: unknown): never {
  if (!(error instanceof Refusal) || error.reason !== 'arguments_invalid') throw error
  const errors = error.details.flatMap((fault) =>
    fault.errors.map((each) => (fault.param === 'file' ? each : `${fault.param} ${each}`)),
  )
  throw new Refusal('arguments_invalid', { details: [{ param: 'csv', errors }] })
}

const presentStatement = (statement: Statement) => ({
  id: String(statement.id),
  providerId: statement.providerId,
  environment: statement.environment,
  fileName: statement.fileName,
  from: statement.fromAt.toISOString(),
  until: statement.untilAt.toISOString(),
  lines: statement.lines,
  newLines: statement.newLines,
  importedBy: statement.importedBy,
  createTime: statement.importedAt.toISOString(),
})
