import {
  type Collection,
  type Connector,
  type Fence,
  type MoneyOrder,
  openFence,
  type RailOutcome,
  type RailQuery,
  type SubmitOutcome,
  unknown,
} from '@pesewa/connector-kit'
import { isConclusive, type SubmitAges } from '../connections/conclusive-missing.ts'
import { measureCall } from '../connections/measured-call.ts'
import { callbackUrl } from './callback-url.ts'
import type { InstructionParts } from './parts.ts'
import { instructionRoute } from './payment-route.ts'
import { firstQueryAt } from './query-times.ts'
import type { Instruction } from './store.ts'

/**
 * Returns the connector for the instruction's own connection. No other can be used, because the rail of another
 * connection does not know the instruction.
 */
const connectorOf = ({ connectors }: InstructionParts, { providerId, scope, connection }: Instruction) =>
  connectors.findConnector(providerId, scope.environment, connection)

/** Returns the time of the first query for an instruction that is submitted now. */
export const firstQueryOf = (parts: InstructionParts, instruction: Instruction, submittedAt: Date) =>
  firstQueryAt(submittedAt, connectorOf(parts, instruction)?.firstQueryMs)

/** Opens the fence for an instruction that is submitted now. The fence limits when the request may be sent. */
export const openSubmitFence = (parts: InstructionParts, instruction: Instruction): Fence =>
  openFence(connectorOf(parts, instruction)?.preparationMs)

export const revisionOf = (
  { connectors }: InstructionParts,
  { providerId, scope, connection }: Instruction,
) => connectors.revisionOf(providerId, scope.environment, connection)

/**
 * Returns the reference shown in the prompt to the payer. It is `null` unless the rail also reports prompted
 * payments to us as manual payments.
 */
export const billReferenceOf = (parts: InstructionParts, instruction: Instruction): string | null =>
  connectorOf(parts, instruction)?.bills ? instruction.orderNumber : null

/** Submits an instruction, unless the time limit for sending it has passed. */
export async function submit(
  parts: InstructionParts,
  instruction: Instruction,
  mayLeave: Fence,
): Promise<SubmitOutcome> {
  const { kind, providerId } = instruction
  const call = railCall(
    connectorOf(parts, instruction),
    instruction,
    toMoneyOrder(parts, instruction, mayLeave),
  )
  if (!call) return notConnected
  const startedMs = performance.now()
  const outcome = await measureCall(parts, providerId, kind, call)
  parts.connectionStats.countCall(instructionRoute(instruction), performance.now() - startedMs)
  return outcome
}

function railCall(connector: Connector | undefined, instruction: Instruction, order: MoneyOrder) {
  const { kind, account, original } = instruction
  const { disburse, refund } = connector ?? {}
  if (kind === 'disburse') return disburse && (() => disburse({ ...order, payeeAccount: account ?? '' }))
  if (kind === 'refund') return refund && original ? () => refund({ ...order, original }) : undefined
  return connector && (() => connector.collect(collectionOf(instruction, order)))
}

const collectionOf = ({ account, orderNumber, returnUrl }: Instruction, order: MoneyOrder): Collection => ({
  ...order,
  payerAccount: account,
  orderNumber: orderNumber ?? '',
  returnUrl,
})

function toMoneyOrder(parts: InstructionParts, instruction: Instruction, mayLeave: Fence): MoneyOrder {
  const { reference, amount, currency, description } = instruction
  const address = callbackUrl(parts, instruction)
  return { reference, amount, currency, description, callbackUrl: address, mayLeave }
}

const notConnected = {
  outcome: 'refused',
  code: 'provider_unknown',
  message: 'This provider is not connected.',
} as const

/**
 * Returns whether the request was not sent because its time limit had passed. In this case, nothing was
 * submitted, so there is nothing to record.
 */
export const isTooLate = (result: SubmitOutcome) => result.outcome === 'unknown' && result.isTooLate === true

/**
 * Queries the outcome of a submit. `missing` is conclusive only when the request can no longer be in flight,
 * and only from the connection used for the submit, because another URL or account may never have received the
 * request.
 */
export async function query(
  parts: InstructionParts,
  instruction: Instruction & SubmitAges,
): Promise<RailOutcome> {
  const connector = connectorOf(parts, instruction)
  const call = connector?.[queryOf[instruction.kind]]
  if (!connector || !call) return unknown('the provider is not connected')
  const aheadMs = parts.clock.aheadMs(instruction.scope)
  const outcome = await measureCall(parts, instruction.providerId, 'query', () =>
    call(queryAbout(parts, instruction)),
  )
  if (outcome.outcome !== 'missing') return outcome
  if (instruction.revision !== null && instruction.revision !== revisionOf(parts, instruction))
    return unknown('the instruction was submitted through another connection')
  return isConclusive(instruction, aheadMs, connector.longestCallMs, connector.missingAfterMs)
    ? outcome
    : unknown('the request may still be in flight')
}

/**
 * Sends a payer's code to the rail, unless the time limit for sending it has passed. Returns `undefined` if the
 * rail does not accept codes.
 */
export async function passCode(
  parts: InstructionParts,
  instruction: Instruction,
  code: string,
  mayLeave: Fence,
): Promise<SubmitOutcome | undefined> {
  const pass = connectorOf(parts, instruction)?.submitCode
  const collection = collectionOf(instruction, toMoneyOrder(parts, instruction, mayLeave))
  return pass && measureCall(parts, instruction.providerId, 'code', () => pass(collection, code))
}

function queryAbout(parts: InstructionParts, instruction: Instruction): RailQuery {
  const { reference, providerReference, amount, currency, account, original } = instruction
  return {
    reference,
    amount,
    currency,
    account,
    original,
    callbackUrl: callbackUrl(parts, instruction),
    ...(providerReference !== null && { providerReference }),
  }
}

const queryOf = {
  collect: 'queryCollection',
  disburse: 'queryDisbursement',
  refund: 'queryRefund',
} as const
