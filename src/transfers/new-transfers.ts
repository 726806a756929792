import { type EventType, factsChannel, type JsonEvent, publishEach, publishing } from '../events/events.ts'
import { judgeAccount, judgeCurrency } from '../ledger/account-faults.ts'
import { currenciesOf, type KnownCurrencies } from '../ledger/currencies.ts'
import { isBeyondCount, overdrawnBy, posting } from '../ledger/postings.ts'
import { newReference } from '../ledger/reference.ts'
import { accountIds } from '../ledger/resources.ts'
import type { Outcome } from '../platform/batches.ts'
import type { Bounds, Database, Reader, Tx } from '../platform/db/database.ts'
import { nameIn, type Scoped } from '../platform/db/scoped.ts'
import { sql } from '../platform/db/sql.ts'
import { insertKeysOfEvents, type Keyed, readKeyFailure } from '../platform/http/idempotency.ts'
import type { NotSimple } from '../platform/http/route.ts'
import type { Metadata } from '../platform/http/shapes.ts'
import { newId, readId } from '../platform/ids.ts'
import { must } from '../platform/must.ts'
import { Faults, Refusal } from '../platform/refusals.ts'
import { insertTransfers } from './store.ts'
import {
  beyondCount,
  completed,
  postingOf,
  presentTransfer,
  scheduleExecutions,
  settle,
  type Transfer,
} from './transfers.ts'

/** A transfer as a request asks for it; ids in their outer form. */
export type NewTransfer = {
  amount: { currency: string; value: number }
  sourceAccount: string
  destinationAccount: string
  description?: string | undefined
  /** When it is due; at once when left out. */
  executeTime?: string | undefined
  metadata?: Metadata | undefined
  at: Date
}

/** As much of it as can be judged; what is missing is somebody else's fault. */
export type SoundTransfer = Pick<NewTransfer, 'at'> & {
  amount?: { currency?: string | undefined } | undefined
  sourceAccount?: string | undefined
  destinationAccount?: string | undefined
  executeTime?: string | undefined
}

const maxAheadMs = 366 * 86_400_000 // limit: how far ahead a transfer is planned

/**
 * Makes transfers, each whole or refused: those of now are posted in the same transaction, judged in their order, and
 * have completed or failed; those of later wait.
 */
export async function createTransfers(
  tx: Tx,
  known: KnownCurrencies,
  given: Scoped<NewTransfer>[],
): Promise<Outcome<Scoped<Transfer>>[]> {
  const outcomes = await checkTransfers(tx, known, given)
  const wanted = outcomes.flatMap((outcome) => ('answer' in outcome ? [outcome.answer] : []))
  const [planned, immediate] = [wanted.filter(isPlanned), wanted.filter((transfer) => !isPlanned(transfer))]
  const settled = await settle(tx, immediate).catch((error) => refuseBeyondCount(error, immediate))
  const made = [...planned, ...settled]
  if (made.length > 0) await tx.run(insertTransfers(made))
  await scheduleExecutions(tx, planned)
  publishEach(
    tx,
    made.map((transfer) => ({
      scope: transfer.scope,
      types: typesOf(transfer),
      objectId: transfer.id,
      data: presentTransfer(transfer.scope, transfer),
      at: transfer.createdAt,
    })),
  )
  const byId = new Map(made.map((transfer) => [transfer.id, transfer]))
  return outcomes.map((outcome) =>
    'answer' in outcome ? { answer: must(byId.get(outcome.answer.id), 'transfer that was made') } : outcome,
  )
}

/** Many are tried again one by one: only one of them may be meant. */
function refuseBeyondCount(error: unknown, transfers: Transfer[]): never {
  if (transfers.length > 1 || !isBeyondCount(error)) throw error
  throw new Refusal('state_conflict', { message: beyondCount })
}

/**
 * The same in one statement, for transfers that are all new, of now, and covered: answers their JSON, or which of them
 * are not. What no other transaction waits for is written first, so that the accounts are locked no longer than their
 * own lines take.
 */
export async function createCoveredTransfers(
  db: Database,
  known: KnownCurrencies,
  given: Scoped<NewTransfer>[],
  keyed: Keyed[],
  bounds: Bounds,
): Promise<string[] | NotSimple> {
  const outcomes = await checkTransfers(db, known, given)
  const wanted = outcomes.flatMap((outcome) => ('answer' in outcome ? [outcome.answer] : []))
  if (wanted.length < given.length || wanted.some(isPlanned))
    return { notSimple: outcomes.map((outcome) => 'error' in outcome || isPlanned(outcome.answer)) }
  const transfers = wanted.map((transfer) => completed(transfer, newReference(transfer.createdAt)))
  const events = transfers.map(
    (transfer): Scoped<JsonEvent> => ({
      scope: transfer.scope,
      id: newId(transfer.createdAt),
      types: typesOf(transfer),
      objectId: transfer.id,
      json: JSON.stringify(presentTransfer(transfer.scope, transfer)),
      posting: must(transfer.ledgerReference, 'reference of a completed transfer'),
      at: transfer.createdAt,
    }),
  )
  // To count what the other parts wrote is what makes them come first; that it is strict is what counting answers.
  const strictAfterAll = sql`(select count(*) from made) + (select count(*) from told) + (select count(*) from kept) > 0`
  try {
    await db.write(
      sql`
      with made as (${insertTransfers(transfers)}),
        told as (${publishing(events)}),
        kept as (${insertKeysOfEvents(
          keyed,
          events.map(({ id }) => id),
        )})
      select ${posting(transfers.map(postingOf), strictAfterAll)}`,
      bounds,
    )
    db.wake(factsChannel)
    return events.map(({ json }) => json)
  } catch (error) {
    if (isBeyondCount(error)) return { notSimple: given.map(() => true) }
    const overdrawn = overdrawnBy(error)
    if (overdrawn) return { notSimple: given.map((_, i) => overdrawn.has(i)) }
    const taken = await readKeyFailure(db, error, keyed)
    return { notSimple: keyed.map((one) => taken.has(one)) }
  }
}

const isPlanned = ({ executeAt }: Transfer) => executeAt !== null

const typesOf = ({ status }: Transfer): [EventType, ...EventType[]] =>
  status === 'pending'
    ? ['internal_transfer.created']
    : [
        'internal_transfer.created',
        status === 'completed' ? 'internal_transfer.completed' : 'internal_transfer.failed',
      ]

/** Each request as the transfer that it wants, or what is wrong with it. */
async function checkTransfers(
  db: Reader,
  known: KnownCurrencies,
  given: Scoped<NewTransfer>[],
): Promise<Outcome<Scoped<Transfer>>[]> {
  const parted = given.map((wanted) => ({ wanted, ...accountsOf(wanted) }))
  const named = parted.flatMap(({ wanted: { scope }, source, destination }) => [
    { scope, id: source },
    { scope, id: destination },
  ])
  const currencies = await currenciesOf(db, known, named)
  return parted.map(({ wanted, source, destination }) => {
    const faults = new Faults()
    judgeOne(wanted, currencies, faults)
    if (faults.list.length > 0) return { error: faults.refusal() }
    const executeAt = wanted.executeTime === undefined ? null : new Date(wanted.executeTime)
    return { answer: newTransfer(wanted, source, destination, executeAt) }
  })
}

/** Adds what is wrong with as much of a transfer as is given. */
export async function judgeTransfer(
  db: Reader,
  known: KnownCurrencies,
  wanted: Scoped<SoundTransfer>,
  faults: Faults,
): Promise<void> {
  const { scope } = wanted
  const { source, destination } = accountsOf(wanted)
  const named = [source, destination].map((id) => ({ scope, id }))
  judgeOne(wanted, await currenciesOf(db, known, named), faults)
}

const accountsOf = ({ sourceAccount = '', destinationAccount = '' }: SoundTransfer) => ({
  source: readId(accountIds, sourceAccount) ?? '',
  destination: readId(accountIds, destinationAccount) ?? '',
})

/** @param currencies by the names of the accounts among those of all Spaces */
function judgeOne(wanted: Scoped<SoundTransfer>, currencies: Map<string, string>, faults: Faults): void {
  const { source, destination } = accountsOf(wanted)
  const currencyOf = (id: string) => currencies.get(nameIn(wanted.scope, id))
  const currency = judgeCurrency(faults, 'amount.currency', wanted.amount?.currency)
  if (wanted.sourceAccount !== undefined)
    judgeAccount(faults, 'sourceFinancialAccount.id', currencyOf(source), currency)
  if (wanted.destinationAccount !== undefined)
    judgeAccount(faults, 'destinationFinancialAccount.id', currencyOf(destination), currency)
  if (source !== '' && source === destination)
    faults.add('destinationFinancialAccount.id', 'is the source account')
  if (wanted.executeTime === undefined) return
  const executeAt = new Date(wanted.executeTime)
  if (!(executeAt > wanted.at)) faults.add('executeTime', 'must be in the future')
  if (executeAt.getTime() > wanted.at.getTime() + maxAheadMs)
    faults.add('executeTime', 'must be within 366 days')
}

function newTransfer(
  wanted: Scoped<NewTransfer>,
  source: string,
  destination: string,
  executeAt: Date | null,
): Scoped<Transfer> {
  return {
    scope: wanted.scope,
    id: newId(wanted.at),
    status: executeAt ? 'pending' : 'processing',
    amount: BigInt(wanted.amount.value),
    currency: wanted.amount.currency,
    sourceAccountId: source,
    destinationAccountId: destination,
    description: wanted.description || null,
    executeAt,
    ledgerReference: null,
    failureCode: null,
    metadata: wanted.metadata ?? {},
    createdAt: wanted.at,
    updatedAt: wanted.at,
  }
}
