import type { Provider } from '@pesewa/connector-kit'
import { wholeNumber } from '@pesewa/values'
import type { Static } from 'typebox'
import type { Database, Tx } from '../../platform/db/database.ts'
import { type Call, command, type Route, read } from '../../platform/http/commands/route.ts'
import { argumentRefusal, Refusal } from '../../platform/refusals.ts'
import type { Catalogue } from '../../rails/connections/catalogue.ts'
import { deciderOf } from '../../tenants/spaces/deciders.ts'
import { closeItem } from './closings.ts'
import type { DayToClose, ListedDay } from './day-store.ts'
import { closeDay, listDays, listDaysToClose, providerLocale, reopenDay } from './days.ts'
import { readItem, showItem } from './item-names.ts'
import type { FindReconciled } from './jobs.ts'
import {
  closedDays,
  closedItem,
  closeItemBody,
  dayBody,
  daysOfProvider,
  extentQuery,
  openItems,
  providerQuery,
  reopenedDay,
} from './operator-shapes.ts'
import { presentItem } from './presented-report.ts'
import { listOpenItems } from './report.ts'
import { checkProvider } from './statement-routes.ts'

export type OperatorRouteParts = { db: Database; catalogue: Catalogue; findReconciled: FindReconciled }

const maxItemsShown = 200 // open items that the API lists, oldest first
const reading = 'installation:read'
const writing = 'installation:write'
const items = '/v1/installation/open-items'
const days = '/v1/installation/closed-days'
export const providerRule = {
  about: ['providerId'],
  says: '`providerId` must be a provider in the catalogue.',
}
const dayExample = {
  environment: 'test',
  providerId: 'm17',
  day: '2026-11-20',
  reason: 'Compared with the bank',
}

/** Routes to list and close differences between statements and books. */
export const openItemRoutes = (parts: OperatorRouteParts): Route[] => [
  read({
    url: items,
    permission: reading,
    summary: 'List open reconciliation items',
    about: 'Oldest first.',
    query: providerQuery,
    result: openItems,
    read: async ({ query }) => {
      providerOf(parts, query.providerId)
      const rows = await listOpenItems(parts.db, await parts.findReconciled(), query, maxItemsShown + 1)
      return { isWhole: rows.length <= maxItemsShown, items: rows.slice(0, maxItemsShown).map(presentItem) }
    },
  }),
  command({
    url: `${items}/close`,
    permission: writing,
    summary: 'Close an open item',
    about: 'For an item that will never match. No money moves.',
    reasons: ['state_conflict'],
    result: closedItem,
    body: closeItemBody,
    example: { id: 'm17/test/4242', reason: 'A provider fee' },
    rules: [{ about: ['id'], says: '`id` must be the id of an open item.' }],
    validate: (_db, { body: { id } }, issues) => {
      if (id !== undefined && !readItem(id)) issues.add('id', 'does not name an open item')
    },
    write: async (tx, call) => {
      const { body, now } = call
      const name = readItem(body.id)
      if (!name) throw argumentRefusal('id', 'does not name an open item')
      const decider = await deciderOf(tx, call, body.reason)
      const { state, closedAt } = await closeItem(tx, name, decider, now).catch(blameId)
      return { id: showItem(name), state, closeTime: closedAt.toISOString() }
    },
  }),
]

/** Routes to list, close and reopen the days of a provider. */
export const closedDayRoutes = (parts: OperatorRouteParts): Route[] => [
  read({
    url: days,
    permission: reading,
    summary: 'List closed days',
    about: 'Also lists the days of a provider that can be closed.',
    query: extentQuery,
    result: daysOfProvider,
    read: async ({ query, now }) => {
      const provider = query.providerId === undefined ? undefined : providerOf(parts, query.providerId)
      const toClose =
        provider && query.environment
          ? await listDaysToClose(
              parts.db,
              { providerId: provider.providerId, environment: query.environment },
              providerLocale(provider),
              now,
            )
          : []
      return {
        days: (await listDays(parts.db, query)).map(presentDay),
        toClose: toClose.map(presentDayToClose),
      }
    },
  }),
  command({
    url: days,
    permission: writing,
    summary: 'Close a day of a provider',
    about: 'Every line must be matched or explained.',
    reasons: ['state_conflict'],
    result: closedDays,
    body: dayBody,
    example: dayExample,
    rules: [providerRule],
    validate: (_db, { body: { providerId } }, issues) => checkProvider(parts.catalogue, providerId, issues),
    write: async (tx, call) => {
      const place = providerLocale(providerOf(parts, call.body.providerId))
      const { name, decider } = await dayOf(tx, call)
      const signed = await closeDay(tx, name, place, decider, call.now)
      const open = { reopenedAt: null, reopenedBy: null, reopeningReason: null }
      return { days: signed.map((day) => presentDay({ ...day, ...open })) }
    },
  }),
  command({
    url: `${days}/reopen`,
    permission: writing,
    summary: 'Reopen a closed day',
    about: 'The signed record is kept.',
    reasons: ['state_conflict'],
    result: reopenedDay,
    body: dayBody,
    example: dayExample,
    rules: [providerRule],
    validate: (_db, { body: { providerId } }, issues) => checkProvider(parts.catalogue, providerId, issues),
    write: async (tx, call) => {
      providerOf(parts, call.body.providerId)
      const { name, decider } = await dayOf(tx, call)
      await reopenDay(tx, name, decider, call.now)
      return { ...name, reopenTime: call.now.toISOString() }
    },
  }),
]

async function dayOf(tx: Tx, call: Call<unknown, Static<typeof dayBody>>) {
  const { providerId, environment, day, reason } = call.body
  return { name: { providerId, environment, day }, decider: await deciderOf(tx, call, reason) }
}

/** Returns a provider, or refuses an unknown one. */
export function providerOf(
  { catalogue }: Pick<OperatorRouteParts, 'catalogue'>,
  providerId: string,
): Provider {
  const provider = catalogue.find(providerId)
  if (!provider) throw argumentRefusal('providerId', 'is not a provider in the catalogue')
  return provider
}

/**
 * Turns the refusal `not_found` into `arguments_invalid`, because the id of the item is in the body and not in
 * the path.
 */
function blameId(error: unknown): never {
  if (error instanceof Refusal && error.reason === 'not_found')
    throw argumentRefusal('id', 'does not name an open item')
  throw error
}

const presentDayToClose = ({ day, gapFrom, gapUntil }: DayToClose) => ({
  day,
  gap: gapFrom && gapUntil && { from: gapFrom.toISOString(), until: gapUntil.toISOString() },
})

const presentDay = (day: ListedDay) => {
  const money = (amount: bigint) => ({ currency: day.currency, value: wholeNumber(amount) })
  return {
    providerId: day.providerId,
    environment: day.environment,
    day: day.day,
    currency: day.currency,
    stated: { lines: wholeNumber(day.statedLines), in: money(day.statedIn), out: money(day.statedOut) },
    booked: { lines: wholeNumber(day.bookedLines), in: money(day.bookedIn), out: money(day.bookedOut) },
    differences: day.differences.map(({ lines, amount, ...difference }) => ({
      ...difference,
      lines: wholeNumber(BigInt(lines)),
      amount: money(BigInt(amount)),
    })),
    by: day.closedBy,
    reason: day.reason,
    closeTime: day.closedAt.toISOString(),
    reopening: day.reopenedAt && {
      by: day.reopenedBy ?? '',
      reason: day.reopeningReason ?? '',
      createTime: day.reopenedAt.toISOString(),
    },
  }
}
