import type { Gauge } from '../../platform/metrics.ts'
import type { Recorded } from './proofs.ts'

/** Returns a gauge that shows a value from the last proof, whether a node or an operator ran that proof. */
const lastProofGauge = (name: string, help: string, value: (proof: Recorded) => number): Gauge => ({
  name,
  help,
  async read(db) {
    const proof = await (await import('./proofs.ts')).lastProof(db)
    return proof && value(proof)
  },
})

export const proofGauges: Gauge[] = [
  lastProofGauge(
    'pesewa_books_ok',
    '1 if the last verification of the books passed, otherwise 0.',
    ({ isOk }) => Number(isOk),
  ),
  lastProofGauge(
    'pesewa_books_differences',
    'Differences found by the last verification of the books, at most 20 per check.',
    ({ differences }) => differences,
  ),
  lastProofGauge(
    'pesewa_books_verified_timestamp_seconds',
    'Time at which the last full verification of the books finished.',
    ({ endedAtSeconds }) => endedAtSeconds,
  ),
  lastProofGauge(
    'pesewa_books_verify_seconds',
    'Duration of the last full verification of the books.',
    ({ seconds }) => seconds,
  ),
]
