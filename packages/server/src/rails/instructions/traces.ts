import {
  currentSpan,
  joinTrace,
  recordCreation,
  type Span,
  type TraceStart,
} from '../../platform/tracing/spans.ts'
import { showOwner } from '../../tenants/spaces/ownership.ts'
import type { Instruction } from './store.ts'

/** The trace of an instruction is that of its payment, payout or refund. */
const traced = ({ ownerType: type, id }: Instruction) => showOwner({ type, id })

const attributesOf = ({ kind, scope, providerId, connection }: Instruction) => ({
  kind,
  ...scope,
  provider: providerId,
  connection: connection ?? undefined,
})

/** Returns the start of a call to the rail in the instruction's trace. */
export const traceOf = (name: string, instruction: Instruction): TraceStart => ({
  name: `${name} ${instruction.ownerType}`,
  about: traced(instruction),
  attributes: attributesOf(instruction),
})

/** Records new instructions, once they have been committed, as the roots of their traces. */
export function traceNew(
  instructions: Instruction[],
  onEnd: (ended: (hasCommitted: boolean) => void) => void,
): void {
  const by = currentSpan()
  if (!by) return
  const [first] = instructions
  // Jobs that this transaction enqueues then continue the trace of the object.
  if (first && instructions.length === 1 && !by.trace.isBatch) by.trace.join(traced(first))
  onEnd((hasCommitted) => {
    if (!hasCommitted) return
    for (const one of instructions) recordCreation(by, traced(one), attributesOf(one))
  })
}

/** Makes a request about an instruction a part of the instruction's trace. */
export function joinTraceOf(instruction: Instruction): void {
  joinTrace(() => traced(instruction))
  currentSpan()?.set(attributesOf(instruction))
  keepIfUnclear(currentSpan(), instruction)
}

/** Exports whatever helps to explain an outcome that is unknown or delayed. */
export function keepIfUnclear(span: Span | undefined, { state, delayedAt }: Instruction): void {
  if (state === 'unknown' || delayedAt !== null) span?.trace.keep()
}
