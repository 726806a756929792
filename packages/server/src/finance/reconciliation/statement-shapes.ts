import Type from 'typebox'
import {
  createTime,
  flag,
  nameText,
  object,
  opaqueText,
  optional,
  shownText,
  text,
  textOrNull,
  timestamp,
  withDescription,
} from '../../platform/http/shapes/shapes.ts'
import { environmentShape } from '../../rails/connections/shapes.ts'
import { mappingNames } from './named-mappings.ts'

export const maxStatementBytes = 4 * 1024 * 1024 // limit: size of a request body with a statement
const maxStatementCharacters = 3_000_000 // characters of a statement that is imported over the API

export const providerIdText = text(1, 64, {
  examples: ['m17'],
  description: 'Provider id, as in payouts and payment options.',
})

const statementFields = {
  id: withDescription(Type.String({ pattern: '^\\d{1,18}$', examples: ['42'] }), 'Number of the statement.'),
  providerId: shownText('Provider, by its id in the catalogue.', 'm17'),
  environment: environmentShape,
  fileName: shownText('Name of the imported file.', 'november.csv'),
  from: withDescription(timestamp, 'Start of the period: the declared time, or the time of the first line.'),
  until: withDescription(timestamp, 'End of the period: the declared time, or the time of the last line.'),
  lines: Type.Integer({
    examples: [240],
    description: 'Number of lines, not counting those that the mapping skips.',
  }),
  newLines: Type.Integer({
    examples: [240],
    description: 'Number of lines that are not in any earlier statement.',
  }),
  importedBy: textOrNull('Email address of the operator; null if imported by a command.'),
  createTime,
}

export const statementShape = object(statementFields, { title: 'ProviderStatement' })

export const matchedStatement = object(
  {
    ...statementFields,
    matchedLines: Type.Integer({ description: 'Number of new lines that match the books.' }),
    openLines: Type.Integer({
      description: 'Number of new lines that only the provider has, or whose amounts differ.',
    }),
    estimated: flag('True if only the first 10,000 new lines were counted.'),
  },
  { title: 'MatchedStatement' },
)

const moment = optional(
  Type.String({
    format: 'date-time',
    examples: ['2026-11-20T00:00:00Z'],
    description:
      'Start or end of the period that the statement covers, if longer than the period of its lines. Set both or neither.',
  }),
)

/** An example in the simulator's format. */
export const exampleCsv = [
  'date,reference,type,amount,currency,status,transaction_id',
  '2026-11-20T10:00:00Z,cos-7,collection,5.00,SLE,SUCCESSFUL,4242',
  '',
].join('\n')

export const newStatement = object({
  providerId: providerIdText,
  environment: environmentShape,
  fileName: optional(nameText(1, 200, { description: 'Name shown in lists.' })),
  mapping: Type.Enum(mappingNames, {
    description:
      'Format of the columns. `simulator`: simulator statements; `mpesa-pull`: M-Pesa’s Pull API; `mtn-collections`, `mtn-disbursements`: MTN’s exports.',
  }),
  csv: opaqueText(1, maxStatementCharacters, {
    examples: [exampleCsv],
    description: 'Contents of the file; the whole request body can be at most 4 MiB.',
  }),
  from: moment,
  until: moment,
})
