import type { RailBalance } from '@pesewa/connector-kit'
import { wholeNumber } from '@pesewa/values'
import Type, { type Static } from 'typebox'
import { shownMoney } from '../../countries/shapes.ts'
import { checkSpace } from '../../money/fees/routes.ts'
import { readNow } from '../../platform/clock.ts'
import { command, type Route, read } from '../../platform/http/commands/route.ts'
import {
  arrayOf,
  idOf,
  object,
  shownText,
  textOrNull,
  withDescription,
} from '../../platform/http/shapes/shapes.ts'
import { showId } from '../../platform/ids.ts'
import { requireLimits } from '../../platform/limits/limits.ts'
import type { Platform } from '../../platform/platform.ts'
import { environments } from '../../platform/scope.ts'
import type { Providers } from '../../rails/providers/providers.ts'
import { actorOf, deciderOf } from '../../tenants/spaces/deciders.ts'
import { spaceIds } from '../../tenants/spaces/resources.ts'
import { reasonText } from '../../tenants/spaces/shapes.ts'
import { type ConnectionFloat, readFloat } from './float.ts'
import { bookSettlement, validateSettlement } from './new-settlement.ts'
import { settlementIds } from './resources.ts'
import { presentSettlement, reverseSettlement, scopeOf } from './settlements.ts'
import {
  bankReferenceFilter,
  newSettlement,
  settlement,
  settlementExample,
  settlementRules,
} from './shapes.ts'
import { selectOwed, selectSettlements } from './store.ts'

type Parts = Pick<Platform, 'db' | 'metrics' | 'limiter'> & { rails(): Promise<Providers> }

const environment = Type.Enum(environments, {
  description: 'Environment of the money: `test` or `live`.',
  examples: ['test'],
})
const maxListed = 1_000 // settlements that an operator's list shows
const writing = { permission: 'installation:write', needsStepUp: true, result: settlement }

/** Routes for operators to list and book the settlements of a Space. */
export const spaceSettlementRoutes = ({ db, rails }: Parts): Route[] => [
  read({
    url: '/v1/installation/spaces/:id/settlements',
    idKind: spaceIds,
    permission: 'installation:read',
    summary: 'List the settlements of a Space',
    about: 'Newest first, at most a thousand.',
    query: object({ environment, bankReference: bankReferenceFilter }),
    result: object(
      { settlements: arrayOf('Settlements, newest first.', settlement) },
      { title: 'SettlementsOfSpace' },
    ),
    read: async ({ id: spaceId, query: { environment, ...filter } }) => {
      await checkSpace(db, spaceId)
      const scope = { spaceId, environment }
      const all = await selectSettlements(db, scope, filter, { take: maxListed, after: undefined })
      return { settlements: all.map((one) => presentSettlement(scope, one)) }
    },
  }),
  command({
    url: '/v1/installation/spaces/:id/settlements',
    idKind: spaceIds,
    ...writing,
    summary: 'Create a settlement in a Space',
    about: 'Books money that moved between a provider and a bank.',
    reasons: ['reference_in_use', 'state_conflict'],
    body: object({ environment, ...newSettlement.properties }),
    example: { environment: 'test', ...settlementExample },
    rules: settlementRules,
    validate: async (db, { id: spaceId, body }, issues) => {
      const now = await readNow(db, { spaceId, environment: body.environment ?? 'live' })
      validateSettlement((await rails()).catalogue, body, now, issues)
    },
    write: async (tx, call) => {
      const { id: spaceId, body } = call
      await checkSpace(tx, spaceId)
      const scope = { spaceId, environment: body.environment }
      const [{ catalogue }, by, now] = [await rails(), await actorOf(tx, call), await readNow(tx, scope)]
      return presentSettlement(scope, await bookSettlement(tx, catalogue, scope, body, by, now))
    },
  }),
]

/** The route for operators to reverse a settlement. */
export const reversingRoutes = (): Route[] => [
  command({
    url: '/v1/installation/settlements/:id/reverse',
    idKind: settlementIds,
    ...writing,
    summary: 'Reverse a settlement in any Space',
    about: 'For a settlement that was booked by mistake.',
    reasons: ['state_conflict'],
    body: object({ reason: reasonText }),
    example: { reason: 'Booked for the wrong provider' },
    write: async (tx, call) => {
      const scope = await scopeOf(tx, call.id)
      const [decider, now] = [await deciderOf(tx, call, call.body.reason), await readNow(tx, scope)]
      return presentSettlement(scope, await reverseSettlement(tx, scope, call.id, decider, now))
    },
  }),
]

const maxReadings = 10 // limit: readings of the float per minute
/** All operators share one limit, because it protects the rails: each reading sends requests to all of them. */
const readings = { name: 'float-limit', key: 'float of all operators', atMost: maxReadings, perMs: 60_000 }

/** The route for operators to compare balances at rails with the books. */
export const floatRoutes = (parts: Parts): Route[] => [
  read({
    url: '/v1/installation/float',
    // Reading sends requests to the rails.
    permission: 'installation:write',
    summary: 'Retrieve the float at providers',
    about: 'Reads the balances at the rails of live connections and compares them with the books.',
    result: object({ float: arrayOf('Balances, by connection.', balance) }, { title: 'Float' }),
    read: async () => {
      await requireLimits(parts, readings)
      return { float: (await readFloat(parts.db, await parts.rails())).flatMap(presentFloat) }
    },
  }),
]

const balance = object(
  {
    connection: shownText('Name of the connection.', 'm17'),
    where: Type.Enum(['rail', 'books'] as const, {
      description: 'Source of the balance: `rail` or `books`.',
      examples: ['rail'],
    }),
    account: textOrNull('Name of the account, in the provider’s terms or ours.'),
    amount: Type.Union([shownMoney, Type.Null()], {
      description: 'Balance of the account; null if it is unknown.',
    }),
    why: textOrNull('Why the balance is unknown; null if it is known.'),
  },
  { title: 'Balance' },
)

function presentFloat({ connection, rail, books }: ConnectionFloat): Static<typeof balance>[] {
  const known = (where: 'rail' | 'books', { name, currency, amount }: RailBalance) => ({
    ...{ connection, where, account: name },
    ...{ amount: { currency, value: wholeNumber(amount) }, why: null },
  })
  const unknown = (why: string) => ({ connection, where: 'rail' as const, account: null, amount: null, why })
  return [
    ...(rail && !('outcome' in rail)
      ? rail.map((one) => known('rail', one))
      : [unknown(rail?.why ?? 'not reported by this rail')]),
    ...books.map((one) => known('books', one)),
  ]
}

const owed = object(
  {
    environment,
    providerId: shownText('Provider that owes the money.', 'm17'),
    direction: settlement.properties.direction,
    amount: withDescription(shownMoney, 'Amount owed; negative if it is owed to the provider.'),
    spaceId: withDescription(idOf(spaceIds), 'Id of the Space.'),
  },
  { title: 'Owed' },
)

/** The route for operators to list what providers owe. */
export const owedRoutes = ({ db }: Pick<Platform, 'db'>): Route[] => [
  read({
    url: '/v1/installation/owed',
    permission: 'installation:read',
    summary: 'List what each provider owes each Space',
    result: object({ owed: arrayOf('Amounts, by provider.', owed) }, { title: 'OwedByProviders' }),
    read: async () => ({
      owed: (await selectOwed(db)).map(({ spaceId, currency, owed: value, ...one }) => ({
        ...one,
        amount: { currency, value: wholeNumber(value) },
        spaceId: showId(spaceIds, spaceId),
      })),
    }),
  }),
]
