import { paymentIds } from '../../money/payments/resources.ts'
import {
  bigint,
  boolean,
  integer,
  json,
  orNull,
  text,
  textOf,
  time,
  uuid,
} from '../../platform/db/columns.ts'
import type { Database, Reader, Tx } from '../../platform/db/database.ts'
import { lockEach } from '../../platform/db/lookups.ts'
import type { Scoped } from '../../platform/db/scoped.ts'
import { sql } from '../../platform/db/sql.ts'
import { type RowOf, table } from '../../platform/db/table.ts'
import type { Page } from '../../platform/http/commands/route.ts'
import {
  equals,
  type FilterOf,
  type Names,
  nameFilter,
  selectFiltered,
} from '../../platform/http/lists/filters.ts'
import type { Metadata } from '../../platform/http/shapes/shapes.ts'
import { readObjectId } from '../../platform/resources.ts'
import type { Scope } from '../../platform/scope.ts'
import { shareReads } from '../../platform/shared-reads.ts'
import type { PaymentOptions } from '../checkout/payment-options.ts'
import { sessionIds } from '../checkout/resources.ts'
import { hasAddress } from './address-store.ts'
import { readAddress } from './addresses.ts'
import type { LinkItem } from './shapes.ts'
import type { LinkStatus } from './states.ts'

const links = table('payment_links', ['id'], {
  id: uuid,
  status: textOf<LinkStatus>(),
  name: text,
  description: orNull(text),
  /** Null if the payer enters the amount. */
  lineItems: orNull(json<LinkItem[]>()),
  currency: text,
  /** Limits, in minor units, for the amount that the payer enters. */
  minimum: orNull(bigint),
  maximum: orNull(bigint),
  /** Limits for the quantity that the payer chooses; null if the payer cannot choose one. */
  quantityMinimum: orNull(integer),
  quantityMaximum: orNull(integer),
  referenceLabel: orNull(text),
  isReferenceRequired: boolean,
  financialAccountId: uuid,
  paymentOptions: json<PaymentOptions>(),
  primaryColor: orNull(text),
  successText: orNull(text),
  successUrl: orNull(text),
  maxPayments: orNull(integer),
  /** Number and total amount of completed payments. */
  paidCount: integer,
  paidTotal: bigint,
  /** Number of payments in flight. */
  reservedCount: integer,
  metadata: json<Metadata>(),
  /** Short address; null for links created before links had one. */
  address: orNull(text),
  /** Idempotency key of the request that created the link. */
  idempotencyKey: orNull(text),
  expiresAt: orNull(time),
  createdAt: time,
  updatedAt: time,
})
export type PaymentLink = RowOf<typeof links>

/** Returns a statement that inserts links. It can run on its own or as part of a larger statement. */
export const insertLinks = links.insert

const updateTerms = links.update(
  'status',
  'name',
  'description',
  'lineItems',
  'minimum',
  'maximum',
  'quantityMinimum',
  'quantityMaximum',
  'referenceLabel',
  'isReferenceRequired',
  'financialAccountId',
  'paymentOptions',
  'primaryColor',
  'successText',
  'successUrl',
  'maxPayments',
  'metadata',
  'expiresAt',
  'updatedAt',
)

/** Writes all columns of a link that a merchant can change. */
export const updateLink = (tx: Tx, scope: Scope, link: PaymentLink) =>
  tx.run(updateTerms([{ ...link, scope }]))

const updateCounts = links.update('status', 'paidCount', 'paidTotal', 'reservedCount', 'updatedAt')

/** Writes the status and the counts of locked links. */
export const updateCounted = (tx: Tx, counted: Scoped<PaymentLink>[]) => tx.send(updateCounts(counted))

export const selectRequestedLink = links.requested
export const shareLinks = (db: Database) => shareReads(db, selectRequestedLink)

export const lockLinks = (tx: Tx, ids: Scoped<{ id: string }>[]) => lockEach(tx, ids, links.requested)

export const findLink = (db: Reader, scope: Scope, id: string) =>
  db.one(sql`${links.of(scope)} and id = ${id}`)

export const hasLink = async (db: Reader, scope: Scope, id: string) =>
  (await findLink(db, scope, id)) !== undefined

/** Returns the status of a session, provided that this link opened it. */
export const selectOpenedStatus = (
  db: Reader,
  { spaceId, environment }: Scope,
  { linkId, sessionId }: { linkId: string; sessionId: string },
) =>
  db.one<{ status: string }>(sql`
    select status from checkout_sessions
    where space_id = ${spaceId} and environment = ${environment} and id = ${sessionId} and payment_link_id = ${linkId}`)

export const selectLinks = (
  db: Database,
  scope: Scope,
  { q, status }: FilterOf<PaymentLink, 'status'>,
  page: Page,
) =>
  selectFiltered(db, links, scope, page, [
    nameFilter(q, (text) => searchConditions(scope, text)),
    equals(sql`status`, sql`text`, status, { leadsTo: 'many' }),
  ])

/**
 * Returns conditions that match `q` as the link's address or id, or as the id of one of its sessions or
 * payments.
 */
function searchConditions({ spaceId, environment }: Scope, q: string): Names {
  const address = readAddress(q)
  if (address !== undefined) return { few: [hasAddress(address)] }
  const object = readObjectId(q)
  if (!object) return { few: [sql`false`] }
  const session =
    object.ids === paymentIds
      ? sql`(
        select origin_id from payments
        where space_id = ${spaceId} and environment = ${environment} and id = ${object.id})`
      : sql`${object.id}`
  if (object.ids !== paymentIds && object.ids !== sessionIds) return { few: [sql`id = ${object.id}`] }
  return {
    few: [
      sql`id = (
        select payment_link_id from checkout_sessions
        where space_id = ${spaceId} and environment = ${environment} and id = ${session})`,
    ],
  }
}
