import { must } from '@pesewa/values'
import { type NewEvent, publishEach } from '../../events/events.ts'
import { withEvents } from '../../events/new-rows.ts'
import { answersOf, type Outcome, withAnswers } from '../../platform/batches.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { byGlobalName, globalName, type Scoped } from '../../platform/db/scoped.ts'
import type { NewRows, NotSimple } from '../../platform/http/commands/new-rows.ts'
import type { WellFormed } from '../../platform/http/commands/route.ts'
import type { Metadata } from '../../platform/http/shapes/shapes.ts'
import { newId, readId } from '../../platform/ids.ts'
import { scheduleEach } from '../../platform/jobs/queue.ts'
import { Issues, Refusal } from '../../platform/refusals.ts'
import {
  type CurrencyCache,
  findCurrencies,
  validateAccount,
  validateCurrency,
} from '../accounts/currencies.ts'
import { posting } from '../accounts/postings.ts'
import { newReference } from '../accounts/reference.ts'
import { accountIds } from '../accounts/resources.ts'
import { type AccountId, isBalanceOutOfRange, overdrawnPostings } from '../accounts/store.ts'
import { insertTransfers, type Transfer } from './store.ts'
import {
  balanceTooLarge,
  completed,
  endTypeOf,
  eventOf,
  executionOf,
  postingOf,
  postTransfers,
} from './transfers.ts'

/** A transfer as requested, with ids in their public form. */
export type NewTransfer = {
  amount: { currency: string; value: number }
  sourceAccount: string
  destinationAccount: string
  description?: string | undefined
  /** Time of execution. If omitted, the transfer is executed immediately. */
  executeTime?: string | undefined
  metadata?: Metadata | undefined
  at: Date
}

/** The well-formed parts of a request that is to be validated. Missing fields are reported elsewhere. */
export type ValidTransferPart = Scoped<
  Pick<NewTransfer, 'at'> &
    WellFormed<Pick<NewTransfer, 'amount' | 'sourceAccount' | 'destinationAccount' | 'executeTime'>>
>

const maxAheadMs = 366 * 86_400_000 // limit: how far ahead a transfer can be scheduled

/**
 * Creates transfers. Each one is created completely or not at all. Immediate transfers are posted in the same
 * transaction, in the given order, and complete or fail; scheduled transfers stay pending.
 */
export async function createTransfers(
  tx: Tx,
  cache: CurrencyCache,
  requests: Scoped<NewTransfer>[],
): Promise<Outcome<Scoped<Transfer>>[]> {
  const outcomes = await validateTransfers(tx, cache, requests)
  const sound = answersOf(outcomes)
  const immediate = sound.filter((transfer) => !isPlanned(transfer))
  const settled = await postTransfers(tx, immediate).catch((error) => refuseBeyondCount(error, immediate))
  const settledById = byGlobalName(settled)
  const made = sound.map((transfer) => settledById.get(globalName(transfer.scope, transfer.id)) ?? transfer)
  if (made.length > 0) await tx.run(insertTransfers(made))
  scheduleEach(tx, made.filter(isPlanned).map(executionOf))
  publishEach(
    tx,
    made.map((transfer) => eventOf(transfer, ...typesOf(transfer))),
  )
  return withAnswers(outcomes, made)
}

/**
 * Refuses a transfer that would exceed the maximum balance of an account. If a batch of several transfers
 * fails, rethrows the error, so that each transfer is retried alone, because perhaps only one of them is at
 * fault.
 */
function refuseBeyondCount(error: unknown, transfers: Transfer[]): never {
  if (transfers.length > 1 || !isBalanceOutOfRange(error)) throw error
  throw new Refusal('state_conflict', { message: balanceTooLarge })
}

/**
 * Prepares the rows of transfers, and the postings of those that are immediate. If any request is invalid, returns
 * which ones are. The postings are strict: if the balance of an account is insufficient, the statement fails. They
 * come last, so that accounts stay locked only while their own lines are written.
 */
export async function prepareTransfers(
  db: Reader,
  cache: CurrencyCache,
  requests: Scoped<NewTransfer>[],
): Promise<NewRows | NotSimple> {
  const outcomes = await validateTransfers(db, cache, requests)
  const sound = answersOf(outcomes)
  if (sound.length < requests.length) return { notSimple: outcomes.map((outcome) => 'error' in outcome) }
  const transfers = sound.map((transfer) =>
    isPlanned(transfer) ? transfer : completed(transfer, newReference(transfer.createdAt)),
  )
  const events = transfers.map((transfer) => ({
    ...eventOf(transfer, ...typesOf(transfer)),
    id: newId(transfer.updatedAt),
    posting: transfer.ledgerReference,
  }))
  const factIds = new Map(events.map(({ objectId, id }) => [objectId, id]))
  const immediate = transfers.filter((transfer) => !isPlanned(transfer))
  const announced = (transfer: Scoped<Transfer>) => ({
    ...postingOf(transfer),
    factId: must(factIds.get(transfer.id), 'fact of a transfer'),
  })
  return withEvents(
    {
      inserts: [insertTransfers(transfers)],
      jobs: transfers.filter(isPlanned).map(executionOf),
      ...(immediate.length > 0 && { last: (isWritten) => posting(immediate.map(announced), isWritten) }),
      explain(error) {
        if (isBalanceOutOfRange(error)) return requests.map(() => true)
        const overdrawn = overdrawnPostings(error)
        return overdrawn && transfers.map((transfer) => overdrawn.has(immediate.indexOf(transfer)))
      },
    },
    events,
  )
}

const isPlanned = ({ executeAt }: Transfer) => executeAt !== null

const typesOf = (transfer: Transfer): NewEvent['types'] =>
  transfer.status === 'pending'
    ? ['internal_transfer.created']
    : ['internal_transfer.created', endTypeOf(transfer)]

/** Returns, for each request, either the transfer or all of its issues. */
async function validateTransfers(
  db: Reader,
  cache: CurrencyCache,
  requests: Scoped<NewTransfer>[],
): Promise<Outcome<Scoped<Transfer>>[]> {
  const currencies = await findCurrencies(db, requests.flatMap(accountsOf), cache)
  return requests.map((request) => {
    const issues = new Issues()
    validateOne(request, currencies, issues)
    return issues.list.length > 0 ? { error: issues.refusal() } : { answer: newTransfer(request) }
  })
}

/** Adds an issue for each error in the well-formed parts of a request. */
export async function validateTransfer(
  db: Reader,
  cache: CurrencyCache,
  request: ValidTransferPart,
  issues: Issues,
): Promise<void> {
  validateOne(request, await findCurrencies(db, accountsOf(request), cache), issues)
}

/** Returns the source and the destination account. An account's id is empty if the text is not an account id. */
function accountsOf({ scope, sourceAccount, destinationAccount }: ValidTransferPart): [AccountId, AccountId] {
  const account = (text = '') => ({ scope, id: readId(accountIds, text) ?? '' })
  return [account(sourceAccount), account(destinationAccount)]
}

/**
 * Adds an issue for each error in the well-formed parts of a request.
 *
 * @param currencies the currencies of accounts; the keys are their global names
 */
function validateOne(request: ValidTransferPart, currencies: Map<string, string>, issues: Issues): void {
  const [source, destination] = accountsOf(request)
  const currencyOf = ({ scope, id }: AccountId) => currencies.get(globalName(scope, id))
  const currency = validateCurrency(issues, 'amount.currency', request.amount?.currency)
  if (request.sourceAccount !== undefined)
    validateAccount(issues, 'sourceFinancialAccount.id', currencyOf(source), currency)
  if (request.destinationAccount !== undefined)
    validateAccount(issues, 'destinationFinancialAccount.id', currencyOf(destination), currency)
  if (source.id !== '' && source.id === destination.id)
    issues.add('destinationFinancialAccount.id', 'must differ from the source account')
  if (request.executeTime === undefined) return
  const executeAt = new Date(request.executeTime)
  if (!(executeAt > request.at)) issues.add('executeTime', 'must be in the future')
  if (executeAt.getTime() > request.at.getTime() + maxAheadMs)
    issues.add('executeTime', 'must be at most 366 days from now')
}

function newTransfer(request: Scoped<NewTransfer>): Scoped<Transfer> {
  const [source, destination] = accountsOf(request)
  const { scope, at, executeTime } = request
  return {
    scope,
    id: newId(at),
    status: executeTime === undefined ? 'processing' : 'pending',
    amount: BigInt(request.amount.value),
    currency: request.amount.currency,
    sourceAccountId: source.id,
    destinationAccountId: destination.id,
    description: request.description || null,
    executeAt: executeTime === undefined ? null : new Date(executeTime),
    ledgerReference: null,
    failureCode: null,
    metadata: request.metadata ?? {},
    createdAt: at,
    updatedAt: at,
  }
}
