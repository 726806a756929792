import { Gauge, type Registry } from 'prom-client'
import type { Database } from '../platform/db/database.ts'
import { lastProof, type Recorded } from './proofs.ts'

/** Every node shows the last proof, whichever node or operator made it. */
export function showLastProof(db: Database, registry: Registry): void {
  const show = (name: string, help: string, value: (proof: Recorded) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        // While the database is away the other metrics must still be shown, and this one as it was last.
        const proof = await lastProof(db).catch(() => 'away' as const)
        if (proof === undefined) this.remove()
        else if (proof !== 'away') this.set(value(proof))
      },
    })
  show('pesewa_books_ok', 'Whether the last proof found that the books add up.', ({ isOk }) => Number(isOk))
  show(
    'pesewa_books_differences',
    'Differences that the last proof named, at most 20 of a check.',
    ({ differences }) => differences,
  )
  show(
    'pesewa_books_verified_timestamp_seconds',
    'When the last proof of all the books ended.',
    ({ endedAtSeconds }) => endedAtSeconds,
  )
  show(
    'pesewa_books_verify_seconds',
    'Time that the last proof of all the books took.',
    ({ seconds }) => seconds,
  )
}
