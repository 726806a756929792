import { type Command, InvalidArgumentError } from 'commander'
import { findCountry } from './countries/countries.ts'
import { joinDatabase } from './database.ts'
import { mainAccount } from './ledger/accounts.ts'
import { setPaymentFee } from './payments/fee-rules.ts'
import type { Environment, Scope } from './platform/clock.ts'
import { readSettings } from './platform/config.ts'
import { type Database, openDatabase } from './platform/db/database.ts'
import { checkSchema } from './platform/db/migrate.ts'
import { parseDuration } from './platform/duration.ts'
import { type IdKind, readId, showId } from './platform/ids.ts'
import { Refusal } from './platform/refusals.ts'
import * as spaces from './spaces/spaces.ts'
import { verifyBooks } from './verify.ts'

type Json = { json?: boolean }

/** The operator's commands. They work beside the running program and without it. */
export function addAdminCommands(program: Command): void {
  const group = (name: string, description: string) => program.command(name).description(description)
  const json = ['--json', 'print one JSON object'] as const

  const spaceCommands = group('spaces', 'tenants')
  spaceCommands
    .command('create')
    .requiredOption('--name <name>')
    .option('--country <code>', 'two letters', 'SL')
    .option(...json)
    .action((options: { name: string; country: string } & Json) => print(options, () => createSpace(options)))
  spaceCommands
    .command('list')
    .option(...json)
    .action((options: Json) => print(options, listSpaces))
  spaceCommands
    .command('set')
    .argument('<id>', 'spc-…', idArgument('space'))
    .requiredOption('--fee <rule>', 'payment=1% or payment=1%,min=SLE:50', feeArgument)
    .option(...json)
    .action((id: string, options: { fee: string } & Json) => print(options, () => setSpace(id, options.fee)))

  group('users', 'who holds tokens')
    .command('add')
    .requiredOption('--email <email>')
    .option(...json)
    .action((options: { email: string } & Json) => print(options, () => addUser(options.email)))

  group('members', 'what a user may do in a Space')
    .command('set')
    .requiredOption('--space <id>', 'spc-…', idArgument('space'))
    .requiredOption('--user <id>', 'usr-…', idArgument('user'))
    .requiredOption('--role <role>', 'owner, admin, developer, finance or viewer')
    .option(...json)
    .action((options: MemberOptions & Json) => print(options, () => setMember(options)))

  const tokenCommands = group('tokens', 'access tokens')
  tokenCommands
    .command('create')
    .requiredOption('--user <id>', 'usr-…', idArgument('user'))
    .requiredOption('--environment <environment>', 'test or live')
    .requiredOption('--name <name>')
    .option('--scopes <scopes>', 'separated by commas; * is all', listArgument, ['*'])
    .option('--expires <duration>', '90d, or never', lifeArgument, parseDuration('90d')!)
    .option('--spaces <ids>', 'only these Spaces', idListArgument('space'))
    .option('--ips <networks>', 'only these networks, like 10.0.0.0/8', listArgument)
    .option(...json)
    .action((options: TokenOptions & Json) => print(options, () => createToken(options)))
  tokenCommands
    .command('list')
    .option(...json)
    .action((options: Json) => print(options, listTokens))
  tokenCommands
    .command('revoke')
    .argument('<id>', 'tok-…', idArgument('token'))
    .option(...json)
    .action((id: string, options: Json) => print(options, () => revokeToken(id)))

  program
    .command('verify')
    .description('prove the books: exits with 1 and names the differences if they do not add up')
    .option(...json)
    .action(verify)
}

async function createSpace({ name, country }: { name: string; country: string }) {
  return withDatabase((db) =>
    db.transaction(async (tx) => {
      const space = await spaces.createSpace(tx, { name, country: country.toUpperCase() })
      const currency = findCountry(space.country)!.currency.code
      for (const environment of ['test', 'live'] as const) {
        const scope: Scope = { spaceId: space.id, environment }
        await mainAccount(tx, scope, currency, space.createdAt)
      }
      return describeSpace(space)
    }),
  )
}

const listSpaces = () =>
  withDatabase(async (db) => ({ spaces: (await spaces.listSpaces(db)).map(describeSpace) }))

const setSpace = (id: string, fee: string) =>
  withDatabase((db) =>
    db.transaction(async (tx) => {
      const space = await spaces.findSpace(tx, id)
      if (!space) throw new Refusal('not_found', { message: 'There is no such Space.' })
      await setPaymentFee(tx, id, fee)
      return describeSpace(space)
    }),
  )

const addUser = (email: string) =>
  withDatabase((db) =>
    db.transaction(async (tx) => ({ id: showId('user', (await spaces.addUser(tx, email)).id), email })),
  )

type MemberOptions = { space: string; user: string; role: string }

const setMember = ({ space, user, role }: MemberOptions) =>
  withDatabase((db) =>
    db.transaction(async (tx) => {
      await spaces.setMember(tx, { spaceId: space, userId: user, role })
      return { spaceId: showId('space', space), userId: showId('user', user), role }
    }),
  )

type TokenOptions = {
  user: string
  environment: string
  name: string
  scopes: string[]
  expires: number | 'never'
  spaces?: string[]
  ips?: string[]
}

const createToken = (options: TokenOptions) =>
  withDatabase((db) =>
    db.transaction(async (tx) => {
      const { token, text } = await spaces.createToken(tx, {
        userId: options.user,
        environment: options.environment as Environment,
        name: options.name,
        scopes: options.scopes,
        lifeMs: options.expires === 'never' ? null : options.expires,
        spaceIds: options.spaces ?? null,
        networks: options.ips ?? null,
      })
      return { id: showId('token', token.id), token: text, expireTime: token.expiresAt }
    }),
  )

const listTokens = () =>
  withDatabase(async (db) => ({ tokens: (await spaces.listTokens(db)).map(describeToken) }))

const revokeToken = (id: string) =>
  withDatabase((db) =>
    db.transaction(async (tx) => {
      await spaces.revokeToken(tx, id)
      return { id: showId('token', id), revoked: true }
    }),
  )

async function verify({ json }: Json): Promise<void> {
  const proof = await withDatabase(verifyBooks)
  if (json) process.stdout.write(`${toJson(proof)}\n`)
  else
    for (const { name, examined, differences } of proof.checks) {
      process.stdout.write(`${differences.length === 0 ? 'ok  ' : 'FAIL'} ${name} (${examined})\n`)
      for (const difference of differences) process.stdout.write(`       ${toJson(difference)}\n`)
    }
  if (!proof.ok) process.exitCode = 1
}

const describeSpace = ({ id, name, country, createdAt }: spaces.Space) => ({
  id: showId('space', id),
  name,
  country,
  createTime: createdAt,
})

const describeToken = (token: spaces.Token) => ({
  id: showId('token', token.id),
  userId: showId('user', token.userId),
  environment: token.environment,
  name: token.name,
  scopes: token.scopes,
  spaceIds: token.spaceIds?.map((id) => showId('space', id)) ?? null,
  networks: token.networks,
  expireTime: token.expiresAt,
  revokeTime: token.revokedAt,
  lastUseTime: token.lastUsedAt,
})

async function withDatabase<T>(work: (db: Database) => Promise<T>): Promise<T> {
  const database = await joinDatabase(readSettings(process.env))
  const db = openDatabase(database.connection, {
    maxConnections: 2,
    statementTimeoutMs: 0,
    onIdleError: () => {},
  })
  try {
    await checkSchema(db.pool)
    return await work(db)
  } finally {
    await db.close()
    await database.stop()
  }
}

async function print(options: Json, work: () => Promise<object>): Promise<void> {
  const result = await work()
  process.stdout.write(options.json ? `${toJson(result)}\n` : describe(result))
}

const toJson = (value: object) =>
  JSON.stringify(value, (_key, entry) => (typeof entry === 'bigint' ? String(entry) : entry))

/** One `name: value` a line; a list, one entry a line. */
function describe(result: object): string {
  const shown = (value: unknown) =>
    value instanceof Date
      ? value.toISOString()
      : Array.isArray(value)
        ? value.join(',')
        : String(value ?? '-')
  return Object.entries(result)
    .map(([name, value]) =>
      Array.isArray(value)
        ? value.map((entry: object) => `${Object.values(entry).map(shown).join('  ')}\n`).join('')
        : `${name}: ${shown(value)}\n`,
    )
    .join('')
}

const idArgument = (kind: IdKind) => (text: string) => {
  const id = readId(kind, text)
  if (!id)
    throw new InvalidArgumentError(
      `"${text}" is not an id like ${showId(kind, '00000000-0000-0000-0000-000000000000').slice(0, 4)}….`,
    )
  return id
}

const listArgument = (text: string) => text.split(',').map((entry) => entry.trim())
const idListArgument = (kind: IdKind) => (text: string) => listArgument(text).map(idArgument(kind))

const maxTokenLifeMs = parseDuration('3650d')!

// Commander takes null for "not given".
function lifeArgument(text: string): number | 'never' {
  if (text === 'never') return text
  const ms = parseDuration(text)
  if (!ms || ms > maxTokenLifeMs)
    throw new InvalidArgumentError('must be a duration like 90d, at most 3650d, or never.')
  return ms
}

function feeArgument(text: string): string {
  const [code, rule] = text.split(/=(.*)/s, 2)
  if (code !== 'payment' || !rule) throw new InvalidArgumentError('must be like payment=1%.')
  return rule
}
