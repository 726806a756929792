import type { Failure, FailureCode } from '@pesewa/connector-kit'
import { must, wholeNumber } from '@pesewa/values'
import { type EventType, type NewEvent, publishEach } from '../../events/events.ts'
import { newReference } from '../../ledger/accounts/reference.ts'
import { bigint, json, jsonb, orNull, text, textOf, time, uuid } from '../../platform/db/columns.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { selectEach } from '../../platform/db/lookups.ts'
import { byGlobalName, globalName, type Scoped } from '../../platform/db/scoped.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { type Columns, unnestScoped } from '../../platform/db/unnest.ts'
import type { Metadata } from '../../platform/http/shapes/shapes.ts'
import { newId } from '../../platform/ids.ts'
import { currentOwner } from '../../tenants/spaces/ownership.ts'
import type { Completed, FollowedInstruction, Follower } from './follower.ts'
import { type Admit, instruct, type NewInstruction } from './instructions.ts'
import type { OwnerType } from './owner-types.ts'
import type { InstructionKey } from './store.ts'

// Code shared by payments, payouts and refunds. Rails move the money of these objects, and a row changes
// whenever its instruction does.

export const transactionStatuses = ['pending', 'processing', 'completed', 'failed'] as const
export type MoneyStatus = (typeof transactionStatuses)[number]

/**
 * The columns that the tables of payments, payouts and refunds have in common. Amounts are in minor units. The
 * amount of a fee is text in the row and a bigint in code.
 */
export const transactionColumns = {
  id: uuid,
  status: textOf<MoneyStatus>(),
  amount: bigint,
  currency: text,
  fees: jsonb<{ code: string; amount: string }[]>(),
  financialAccountId: uuid,
  providerId: text,
  railReference: uuid,
  railTransaction: orNull(text),
  ledgerReference: orNull(text),
  failureCode: orNull(textOf<FailureCode>()),
  failureMessage: orNull(text),
  metadata: json<Metadata>(),
  createdAt: time,
  updatedAt: time,
}

/** The columns that change with the instruction of a row. */
export const outcomeColumns = [
  'status',
  'railTransaction',
  'ledgerReference',
  'failureCode',
  'failureMessage',
  'updatedAt',
] as const

/** A row whose status may also be `cancelled`, which only refunds use. */
export type TransactionRow = Omit<RowOfColumns, 'status'> & { status: MoneyStatus | 'cancelled' }
type RowOfColumns = typeof transactionColumns extends Columns<infer Row> ? Row : never

/** Returns the values with which every new row begins, including its id. */
export const newRow = (at: Date) =>
  ({
    id: newId(at),
    status: 'pending',
    railTransaction: null,
    ledgerReference: null,
    failureCode: null,
    failureMessage: null,
    createdAt: at,
    updatedAt: at,
  }) as const

export const completedBy = ({ at, railTransaction }: Completed) =>
  ({
    status: 'completed',
    railTransaction: railTransaction ?? null,
    ledgerReference: newReference(at),
    updatedAt: at,
  }) as const

export const failedBy = ({ code, message }: Failure, at: Date) =>
  ({ status: 'failed', failureCode: code, failureMessage: message, updatedAt: at }) as const

/** Returns the fields that payments, payouts and refunds have in common in the API. */
export function presentTransaction({ currency, amount, fees, failureCode, failureMessage }: TransactionRow) {
  const money = (value: bigint) => ({ currency, value: wholeNumber(value) })
  return {
    money,
    amount: money(amount),
    fees: fees.map((fee) => ({ code: fee.code, amount: money(BigInt(fee.amount)), metadata: {} })),
    failureDetail: failureCode ? { code: failureCode, message: failureMessage ?? '' } : null,
  }
}

type Table<Row> = {
  noun: OwnerType
  lock(tx: Tx, keys: InstructionKey[]): Promise<Scoped<Row>[]>
  write(tx: Tx, rows: Scoped<Row>[]): void
  present(row: Scoped<Row>): object
}

/** Returns the operations that keep the rows of a table in step with their instructions. */
export function openTransactionRows<Row extends TransactionRow>({ noun, lock, write, present }: Table<Row>) {
  const publish = (tx: Tx, rows: Scoped<Row>[], ...types: NewEvent['types']) =>
    publishEach(
      tx,
      rows.map((row) => ({
        scope: row.scope,
        types,
        objectId: row.id,
        data: present(row),
        at: row.updatedAt,
      })),
    )

  /** Writes locked rows and publishes their events. */
  function save(tx: Tx, type: EventType, rows: Scoped<Row>[]): void {
    write(tx, rows)
    publish(tx, rows, type)
  }

  /** Locks the row of each instruction, calls `make` with the row and the instruction, and returns the results. */
  async function step<Move extends FollowedInstruction, Result = Scoped<Row>>(
    tx: Tx,
    moves: Move[],
    make: (row: Scoped<Row>, move: Move) => Result,
  ): Promise<Result[]> {
    const moveOf = new Map(
      moves.map((move) => [globalName(move.instruction.scope, move.instruction.id), move]),
    )
    const rows = await lock(
      tx,
      moves.map(({ instruction }) => instruction),
    )
    return rows.map((row) =>
      make(row, must(moveOf.get(globalName(row.scope, row.id)), `instruction of a ${noun}`)),
    )
  }

  return {
    publish,
    save,
    step,
    /**
     * Creates the instructions and returns the rows to be written. A row whose instruction is sent immediately
     * after the commit is `processing`, and an event about this is published.
     */
    instruct(
      tx: Tx,
      queues: { admit: Admit },
      rows: Scoped<Row>[],
      orderOf: (
        row: Row,
        place: number,
      ) => Pick<NewInstruction, 'kind' | 'account' | 'description'> & Partial<NewInstruction>,
    ): Scoped<Row>[] {
      const orders = rows.map((row, i) => ({
        ...row,
        ownerType: noun,
        reference: row.railReference,
        ...orderOf(row, i),
      }))
      const leaving = instruct(tx, queues, orders)
      const isLeaving = ({ id }: Row) => leaving.has(id)
      const instructed = rows.map((row) => (isLeaving(row) ? { ...row, status: 'processing' as const } : row))
      publish(tx, instructed.filter(isLeaving), `${noun}.processing`)
      return instructed
    },
    follower: {
      async submitting(tx, moves) {
        const rows = await step(tx, moves, (row, { at }) => ({ ...row, status: 'processing', updatedAt: at }))
        save(tx, `${noun}.processing`, rows)
      },
      async owners(tx, instructions) {
        const rows = byGlobalName(await lock(tx, instructions))
        return instructions.map(({ scope, id }) =>
          currentOwner(noun, must(rows.get(globalName(scope, id)), `${noun} of an instruction`)),
        )
      },
    } satisfies Partial<Follower>,
  }
}

/** Returns those of the given rail references that exist in a table. */
export async function selectReferencesOf(
  db: Reader,
  table: Sql,
  references: Scoped<{ reference: string }>[],
) {
  const rows = await selectEach<{ railReference: string }>(
    db,
    byReference(references),
    sql`
      select rail_reference from ${table}
      where space_id = requested.space_id and environment = requested.environment
        and rail_reference = requested.reference`,
  )
  return new Set(rows.map(({ railReference }) => railReference))
}

const byReference = unnestScoped({ reference: uuid })
