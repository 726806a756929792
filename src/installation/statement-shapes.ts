import Type from 'typebox'
import {
  createTime,
  described,
  nameText,
  object,
  opaqueText,
  optional,
  text,
  timestamp,
} from '../platform/http/shapes.ts'
import { mappingNames } from '../reconciliation/named-mappings.ts'
import { environmentShape } from './connection-shapes.ts'

export const maxStatementBytes = 4 * 1024 * 1024 // limit: the body of a statement over the API
const maxStatementCharacters = 3_000_000 // limit: characters of a statement over the API

export const providerIdText = text(1, 64, {
  examples: ['m17'],
  description: 'Which provider, as payouts and payment options name it.',
})

const statementFields = {
  id: described(Type.String({ pattern: '^\\d{1,18}$', examples: ['42'] }), 'The number of the statement.'),
  providerId: described(
    Type.String({ examples: ['m17'] }),
    'Whose statement it is, by the id of the provider.',
  ),
  environment: environmentShape,
  fileName: described(Type.String({ examples: ['november.csv'] }), 'What the file is called.'),
  from: described(timestamp, 'The time of its first line, or what it says to cover.'),
  until: described(timestamp, 'The time of its last line, or what it says to cover.'),
  lines: Type.Integer({ examples: [240], description: 'That its mapping does not leave out.' }),
  newLines: Type.Integer({ examples: [240], description: 'That no earlier statement had.' }),
  importedBy: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'The email address of an operator; null: a command.',
  }),
  createTime,
}

export const statementShape = object(statementFields, { title: 'ProviderStatement' })

export const matchedStatement = object(
  {
    ...statementFields,
    matchedLines: Type.Integer({ description: 'Of its new lines, those for which the books have a line.' }),
    openLines: Type.Integer({
      description: 'Of its new lines, those that only the provider has, or differently.',
    }),
    estimated: Type.Boolean({ description: 'Only its first 10 000 new lines were counted.' }),
  },
  { title: 'MatchedStatement' },
)

const moment = optional(
  Type.String({
    format: 'date-time',
    examples: ['2026-11-20T00:00:00Z'],
    description: 'With the other, the time that it covers, where that is more than its lines show.',
  }),
)

/** As the simulator writes it. */
export const exampleCsv = [
  'date,reference,type,amount,currency,status,transaction_id',
  '2026-11-20T10:00:00Z,cos-7,collection,5.00,SLE,SUCCESSFUL,4242',
  '',
].join('\n')

export const newStatement = object({
  providerId: providerIdText,
  environment: environmentShape,
  fileName: optional(nameText(1, 200, { description: 'What it is called in lists.' })),
  mapping: Type.Enum(mappingNames, {
    description:
      'How its columns are read. `simulator`: as the simulator writes them; `mpesa-pull`: as M-Pesa’s Pull API does; `mtn-collections`, `mtn-disbursements`: as MTN’s exports do.',
  }),
  csv: opaqueText(1, maxStatementCharacters, {
    examples: [exampleCsv],
    description: 'All of the file, at most 4 MiB with the rest of the body.',
  }),
  from: moment,
  until: moment,
})
