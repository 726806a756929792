import type { Platform } from '../platform/platform.ts'
import { isConclusive, type SubmitAges } from '../providers/conclusive-missing.ts'
import type { Connector, RailOutcome, SubmitOutcome } from '../providers/connector.ts'
import type { Connectors } from '../providers/connectors.ts'
import type { Fence } from '../providers/fence.ts'
import { measureCall } from '../providers/measured-call.ts'
import { unknown } from '../providers/rail-responses.ts'
import { callbackUrl } from './callback-url.ts'
import type { Instruction } from './store.ts'

export type RailParts = Pick<Platform, 'metrics' | 'log' | 'clock' | 'baseUrl' | 'seals'> & {
  connectors: Connectors
}

const connectorOf = ({ connectors }: RailParts, { providerId, scope }: Instruction) =>
  connectors.connectorOf(providerId, scope.environment)

export const revisionOf = ({ connectors }: RailParts, { providerId, scope }: Instruction) =>
  connectors.revisionOf(providerId, scope.environment)

/** Submits an instruction, while the fence is open. */
export async function submit(
  parts: RailParts,
  instruction: Instruction,
  mayLeave: Fence,
): Promise<SubmitOutcome> {
  const { kind, providerId } = instruction
  const call = callOf(connectorOf(parts, instruction), instruction)
  if (!call) return notConnected
  const asked = { ...instruction, callbackUrl: callbackUrl(parts, instruction), mayLeave }
  return measureCall(parts, providerId, kind, () => call(asked))
}

type Asked = Instruction & { callbackUrl: string; mayLeave: Fence }

function callOf(connector: Connector | undefined, { kind }: Instruction) {
  if (kind === 'collect')
    return (
      connector &&
      (({ account, orderNumber, ...asked }: Asked) =>
        connector.collect({
          ...moneyOf(asked),
          payerAccount: account,
          orderNumber: orderNumber ?? '',
          returnUrl: asked.returnUrl,
        }))
    )
  const disburse = connector?.disburse
  return (
    disburse &&
    (({ account, ...asked }: Asked) => disburse({ ...moneyOf(asked), payeeAccount: account ?? '' }))
  )
}

const moneyOf = ({
  reference,
  amount,
  currency,
  description,
  callbackUrl,
  mayLeave,
}: Omit<Asked, 'account' | 'orderNumber'>) => ({
  reference,
  amount,
  currency,
  description,
  callbackUrl,
  mayLeave,
})

const notConnected = {
  outcome: 'refused',
  code: 'provider_unknown',
  message: 'This provider is not connected.',
} as const

/** Whether the fence kept a request from leaving: nothing was submitted, and there is nothing to record. */
export const isTooLate = (answer: SubmitOutcome) => answer.outcome === 'unknown' && answer.isTooLate === true

/**
 * Asks a rail what became of a submit. That it never heard of it is an answer only once nothing can be on its way, and
 * only of the connection under which it was submitted: another address or account may never have heard of anything.
 */
export async function ask(parts: RailParts, instruction: Instruction & SubmitAges): Promise<RailOutcome> {
  const connector = connectorOf(parts, instruction)
  const query = instruction.kind === 'collect' ? connector?.queryCollection : connector?.queryDisbursement
  if (!connector || !query) return unknown('the provider is not connected')
  const aheadMs = parts.clock.aheadMs(instruction.scope)
  const outcome = await measureCall(parts, instruction.providerId, 'query', () =>
    query(instruction.reference, instruction.providerReference ?? undefined),
  )
  if (outcome.outcome !== 'missing') return outcome
  if (instruction.revision !== null && instruction.revision !== revisionOf(parts, instruction))
    return unknown('it was submitted under another connection')
  return isConclusive(instruction, aheadMs, connector.longestCallMs)
    ? outcome
    : unknown('the request may be on its way')
}
