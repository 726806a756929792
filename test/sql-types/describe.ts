import type pg from 'pg'

/**
 * A column of a statement's result. `type` is as printed by format_type; `isNullable` is `undefined` if
 * unknown.
 */
export type ResultColumn = { name: string; type: string; isNullable: boolean | undefined }

type Field = { name: string; tableID: number; columnID: number; dataTypeID: number }

/** Returns a function that describes the result of a statement, which PostgreSQL parses but does not run. */
export async function describer(client: pg.Client): Promise<(text: string) => Promise<ResultColumn[]>> {
  const { rows: types } = await client.query<{ oid: number; name: string }>(
    `select oid::int, format_type(oid, null) as name from pg_type`,
  )
  const { rows: attributes } = await client.query<{
    table: number
    place: number
    tableName: string
    isNullable: boolean
  }>(
    `select attrelid::int as table, attnum as place, relname as "tableName", not attnotnull as "isNullable"
     from pg_attribute join pg_class on pg_class.oid = attrelid
     where attnum > 0 and relnamespace = 'public'::regnamespace`,
  )
  const typeOf = new Map(types.map((type) => [type.oid, type.name]))
  const attributeOf = new Map(attributes.map((one) => [`${one.table} ${one.place}`, one]))
  return async (text) => {
    const outer = outerJoined(text)
    return (await fieldsOf(client, text)).map(({ name, tableID, columnID, dataTypeID }) => {
      const attribute = attributeOf.get(`${tableID} ${columnID}`)
      return {
        name,
        type: typeOf.get(dataTypeID) ?? '',
        isNullable: attribute
          ? outer.has(attribute.tableName) || (attribute.isNullable && !isRequired(text, name))
          : isLoneAggregate(text, name) || undefined,
      }
    })
  }
}

/** Parses and describes without executing. */
function fieldsOf(client: pg.Client, text: string): Promise<Field[]> {
  return new Promise((resolve, reject) => {
    let fields: Field[] = []
    client.query({
      submit(connection: pg.Connection) {
        connection.parse({ name: '', text, types: [] }, true)
        connection.describe({ type: 'S', name: '' }, true)
        connection.sync()
      },
      handleRowDescription(message: { fields: Field[] }) {
        fields = message.fields
      },
      // After an error, the driver forgets the query before the server is ready again.
      handleError: reject,
      handleReadyForQuery: () => resolve(fields),
      handleDataRow() {},
      handleCommandComplete() {},
      handlePortalSuspended() {},
      handleEmptyQuery() {},
    } as unknown as pg.Submittable)
  })
}

/** Returns the tables that a statement names only after `left join`; their columns may be null. */
function outerJoined(text: string): Set<string> {
  const outer = new Set<string>()
  const inner = text.replace(
    /\bleft join\s+(?:lateral\s*(\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))|(\w+))/gi,
    (_, query, name) => {
      for (const table of query ? namedIn(query) : [name]) outer.add(table)
      return ''
    },
  )
  for (const name of namedIn(inner)) outer.delete(name)
  return outer
}

const namedIn = (text: string) =>
  [...text.matchAll(/(?:\bfrom|,|\bjoin)\s+(?:lateral\s+)?(\w+)/gi)].map(([, name]) => name!)

/** Columns that are never null in the rows of some statements, although the table allows null. */
const neverNull = [
  {
    // packages/server/src/ledger/accounts/accounts.ts opens these with a purpose; the constraint ledger_accounts_clearing then requires
    // the others.
    rows: /\bkind = 'clearing'|\bfrom clearing_days\b/,
    columns: ['purpose', 'provider_id', 'direction', 'account_direction'],
  },
  {
    // instructions_check
    rows: /\bstate in \('submitting', 'submitted', 'unknown'\)/,
    columns: ['submitted_at'],
  },
]

/** Whether the statement selects only rows in which the column is not null. */
const isRequired = (text: string, name: string) =>
  new RegExp(`\\b${name} (?:is not null|=|<>|[<>]=?)(?=\\s|$)`).test(text) ||
  neverNull.some(({ rows, columns }) => rows.test(text) && columns.includes(name))

/** Whether the column is an aggregate without `group by`, which is null if there are no rows. */
const isLoneAggregate = (text: string, name: string) =>
  !/\bgroup by\b/i.test(text) &&
  new RegExp(
    `(?:select|,)\\s+(?:sum|min|max|avg|array_agg|json_agg|jsonb_agg|string_agg)\\((?:[^()]|\\([^()]*\\))*\\)(?:::\\w+)?\\s+as\\s+${name}\\b`,
    'i',
  ).test(text)
