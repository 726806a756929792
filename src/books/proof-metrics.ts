import type { Gauge } from '../platform/metrics.ts'
import type { Recorded } from './proofs.ts'

/** Of the last proof, whichever node or operator made it. */
const ofLastProof = (name: string, help: string, value: (proof: Recorded) => number): Gauge => ({
  name,
  help,
  async read(db) {
    const proof = await (await import('./proofs.ts')).lastProof(db)
    return proof && value(proof)
  },
})

export const proofGauges: Gauge[] = [
  ofLastProof('pesewa_books_ok', 'Whether the last proof found that the books add up.', ({ isOk }) =>
    Number(isOk),
  ),
  ofLastProof(
    'pesewa_books_differences',
    'Differences that the last proof named, at most 20 of a check.',
    ({ differences }) => differences,
  ),
  ofLastProof(
    'pesewa_books_verified_timestamp_seconds',
    'When the last proof of all the books ended.',
    ({ endedAtSeconds }) => endedAtSeconds,
  ),
  ofLastProof(
    'pesewa_books_verify_seconds',
    'Time that the last proof of all the books took.',
    ({ seconds }) => seconds,
  ),
]
