import { LRUCache } from 'lru-cache'
import { type EventType, factsChannel, type JsonEvent, publish, publishing } from '../events/events.ts'
import type { Outcome } from '../platform/batches.ts'
import type { Scope } from '../platform/clock.ts'
import type { Database, Reader, Tx } from '../platform/db/database.ts'
import { sql } from '../platform/db/sql.ts'
import { insertAnswered, type Keyed, readKeyFailure } from '../platform/http/idempotency.ts'
import type { Metadata } from '../platform/http/shapes.ts'
import { newId, readId } from '../platform/ids.ts'
import { Faults, Refusal } from '../platform/refusals.ts'
import { judgeAccount, judgeCurrency } from './account-faults.ts'
import { posting } from './postings.ts'
import { newReference } from './reference.ts'
import { isBeyondCount, isOverdraft, selectCurrencies } from './store.ts'
import { insertTransfers } from './transfer-store.ts'
import {
  beyondCount,
  completed,
  postingOf,
  presentTransfer,
  scheduleExecution,
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

/** How far ahead a transfer may be planned. */
const maxAheadMs = 366 * 86_400_000

/** Account → currency. A currency never changes and no account is ever removed: what was read once stays true. */
export type KnownCurrencies = LRUCache<string, string>
export const createKnownCurrencies = (): KnownCurrencies => new LRUCache({ max: 100_000 })

/**
 * Makes transfers of one Space, each whole or refused: those of now are posted in the same transaction, judged in their
 * order, and have completed or failed; those of later wait.
 */
export async function createTransfers(
  tx: Tx,
  known: KnownCurrencies,
  scope: Scope,
  given: NewTransfer[],
): Promise<Outcome<Transfer>[]> {
  const outcomes = await checkTransfers(tx, known, scope, given)
  const wanted = outcomes.flatMap((outcome) => ('answer' in outcome ? [outcome.answer] : []))
  const [planned, immediate] = [wanted.filter(isPlanned), wanted.filter((transfer) => !isPlanned(transfer))]
  const settled = await settle(tx, scope, immediate).catch((error) => refuseBeyondCount(error, immediate))
  const made = [...planned, ...settled]
  if (made.length > 0) await tx.run(insertTransfers(scope, made))
  for (const transfer of planned) await scheduleExecution(tx, scope, transfer)
  await publish(
    tx,
    scope,
    ...made.map((transfer) => ({
      types: typesOf(transfer),
      objectId: transfer.id,
      data: presentTransfer(scope, transfer),
      at: transfer.createdAt,
    })),
  )
  const byId = new Map(made.map((transfer) => [transfer.id, transfer]))
  return outcomes.map((outcome) => ('answer' in outcome ? { answer: byId.get(outcome.answer.id)! } : outcome))
}

/** Many are tried again one by one: only one of them may be meant. */
function refuseBeyondCount(error: unknown, transfers: Transfer[]): never {
  if (transfers.length > 1 || !isBeyondCount(error)) throw error
  throw new Refusal('state_conflict', { message: beyondCount })
}

/**
 * The same in one statement, for transfers that are all new, of now, and covered: answers their JSON, or nothing when
 * they are not. What no other transaction waits for is written first, so that the accounts are locked no longer than
 * their own lines take.
 */
export async function createCoveredTransfers(
  db: Database,
  known: KnownCurrencies,
  scope: Scope,
  given: NewTransfer[],
  keyed: Keyed[],
): Promise<string[] | undefined> {
  const outcomes = await checkTransfers(db, known, scope, given)
  const wanted = outcomes.flatMap((outcome) => ('answer' in outcome ? [outcome.answer] : []))
  if (wanted.length < given.length || wanted.some(isPlanned)) return undefined
  const transfers = wanted.map((transfer) => completed(transfer, newReference(transfer.createdAt)))
  const results = transfers.map((transfer) => JSON.stringify(presentTransfer(scope, transfer)))
  const events = transfers.map(
    (transfer, i): JsonEvent => ({
      id: newId(transfer.createdAt),
      types: typesOf(transfer),
      objectId: transfer.id,
      json: results[i]!,
      posting: transfer.ledgerReference!,
      at: transfer.createdAt,
    }),
  )
  // To count what the other parts wrote is what makes them come first; that it is strict is what counting answers.
  const strictAfterAll = sql`(select count(*) from made) + (select count(*) from told) + (select count(*) from kept) > 0`
  try {
    await db.query(sql`
      with made as (${insertTransfers(scope, transfers)}),
        told as (${publishing(scope, events)}),
        kept as (${insertAnswered(
          scope,
          keyed,
          events.map(({ id }) => id),
        )})
      select ${posting(scope, transfers.map(postingOf), strictAfterAll)}`)
    db.wake(factsChannel)
    return results
  } catch (error) {
    if (!isOverdraft(error) && !isBeyondCount(error)) readKeyFailure(error, keyed)
    return undefined
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
  scope: Scope,
  given: NewTransfer[],
): Promise<Outcome<Transfer>[]> {
  const accounts = given.map(accountsOf)
  const named = accounts.flatMap(({ source, destination }) => [source, destination])
  const currencies = await currenciesOf(db, known, scope, named)
  return given.map((wanted, i) => {
    const faults = new Faults()
    judgeOne(wanted, currencies, faults)
    if (faults.list.length > 0) return { error: faults.refusal() }
    const { source, destination } = accounts[i]!
    const executeAt = wanted.executeTime === undefined ? null : new Date(wanted.executeTime)
    return { answer: newTransfer(wanted, source, destination, executeAt) }
  })
}

/** Adds what is wrong with as much of a transfer as is given. */
export async function judgeTransfer(
  db: Reader,
  known: KnownCurrencies,
  scope: Scope,
  wanted: SoundTransfer,
  faults: Faults,
): Promise<void> {
  const { source, destination } = accountsOf(wanted)
  judgeOne(wanted, await currenciesOf(db, known, scope, [source, destination]), faults)
}

const accountsOf = ({ sourceAccount = '', destinationAccount = '' }: SoundTransfer) => ({
  source: readId('financialAccount', sourceAccount) ?? '',
  destination: readId('financialAccount', destinationAccount) ?? '',
})

function judgeOne(wanted: SoundTransfer, currencies: Map<string, string>, faults: Faults): void {
  const { source, destination } = accountsOf(wanted)
  const currency = judgeCurrency(faults, 'amount.currency', wanted.amount?.currency)
  if (wanted.sourceAccount !== undefined)
    judgeAccount(faults, 'sourceFinancialAccount.id', currencies.get(source), currency)
  if (wanted.destinationAccount !== undefined)
    judgeAccount(faults, 'destinationFinancialAccount.id', currencies.get(destination), currency)
  if (source !== '' && source === destination)
    faults.add('destinationFinancialAccount.id', 'is the source account')
  if (wanted.executeTime === undefined) return
  const executeAt = new Date(wanted.executeTime)
  if (!(executeAt > wanted.at)) faults.add('executeTime', 'must be in the future')
  if (executeAt.getTime() > wanted.at.getTime() + maxAheadMs)
    faults.add('executeTime', 'must be within 366 days')
}

function newTransfer(
  wanted: NewTransfer,
  source: string,
  destination: string,
  executeAt: Date | null,
): Transfer {
  return {
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

async function currenciesOf(db: Reader, known: KnownCurrencies, scope: Scope, ids: string[]) {
  const nameOf = (id: string) => `${scope.environment} ${scope.spaceId} ${id}`
  const currencies = new Map<string, string>()
  const unknown = new Set<string>()
  for (const id of ids) {
    const currency = known.get(nameOf(id))
    if (currency !== undefined) currencies.set(id, currency)
    else if (id !== '') unknown.add(id)
  }
  if (unknown.size === 0) return currencies
  for (const [id, currency] of await selectCurrencies(db, scope, [...unknown])) {
    currencies.set(id, currency)
    known.set(nameOf(id), currency)
  }
  return currencies
}
