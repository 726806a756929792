import { hash, randomFillSync } from 'node:crypto'

/** The place of a span in a trace, as the `traceparent` header of W3C Trace Context describes it. */
export type TraceContext = { traceId: string; spanId: string; isSampled: boolean }

/**
 * Returns the trace of an object and the id of the trace's root span. Both are derived from the object's public id,
 * so that everything that ever happens to a payment belongs to one trace, whichever node does it and whenever, although
 * nothing is stored. See docs/decisions/0255-tracing.md.
 */
export function traceOfObject(publicId: string): { traceId: string; spanId: string } {
  const digits = hash('sha256', publicId)
  return { traceId: digits.slice(0, 32), spanId: digits.slice(32, 48) }
}

/** Creates a random id of a trace that belongs to this share of all traces or, if it is not chosen, to the rest. */
export function newTraceId(ratio: number, isChosen: boolean): string {
  const threshold = (1 - ratio) * compared
  const value = isChosen ? threshold + Math.random() * (compared - threshold) : Math.random() * threshold
  // Rounding must not lead to a number with another digit. Doubles of this size are multiples of 8.
  const digits = Math.min(Math.floor(value), compared - 8)
    .toString(16)
    .padStart(comparedDigits, '0')
  return randomDigits(16).slice(comparedDigits) + digits
}

export const newSpanId = () => randomDigits(8)

/**
 * Returns whether a trace belongs to this share of all traces, from 0 to 1. The answer depends only on the id, so all
 * nodes choose the same traces. It compares the last 56 bits with a threshold, as OpenTelemetry's consistent
 * probability sampling does, so that a collector that samples in this way keeps the same traces, too.
 */
export const isSampled = (traceId: string, ratio: number): boolean =>
  ratio > 0 && Number.parseInt(traceId.slice(-comparedDigits), 16) >= (1 - ratio) * compared

const comparedDigits = 14
const compared = 2 ** (4 * comparedDigits)

const traceparent =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const longestTraceparent = 512 // characters of a `traceparent` header

/** Parses a `traceparent`, which is untrusted. Returns `undefined` if it is malformed or missing. */
export function readTraceparent(text: unknown): TraceContext | undefined {
  if (typeof text !== 'string' || text.length > longestTraceparent) return undefined
  const [, version, traceId, spanId, flags = '', rest] = traceparent.exec(text) ?? []
  if (traceId === undefined || spanId === undefined || (version === '00' && rest !== undefined))
    return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

export const showTraceparent = ({ traceId, spanId, isSampled }: TraceContext) =>
  `00-${traceId}-${spanId}-0${Number(isSampled)}`

const random = Buffer.alloc(4096)
let used = random.length

function randomDigits(count: number): string {
  if (used + count > random.length) {
    randomFillSync(random)
    used = 0
  }
  used += count
  return random.toString('hex', used - count, used)
}
