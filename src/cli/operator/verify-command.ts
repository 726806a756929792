import { InvalidArgumentError } from 'commander'
import { recordProof } from '../../books/proofs.ts'
import { type Proof, verifyBooks } from '../../books/verify.ts'
import { parseDuration } from '../../platform/duration.ts'
import { createSeals } from '../../platform/seals.ts'
import { hasSecretKey, readSecretKey } from '../../platform/secret-key.ts'
import { findChecks, readSettings } from '../../slices.ts'
import { withDatabase } from './actions.ts'
import { progressBar } from './progress-bar.ts'

/** `pesewa verify`: prints what was proved and sets the exit code. */
export async function verify({ since, json }: { since?: Date; json?: boolean }): Promise<void> {
  const settings = readSettings(process.env)
  const bar = json ? undefined : progressBar(process.stderr)
  await withDatabase(async (db) => {
    const proof = await verifyBooks(db, findChecks, {
      connections: 2,
      ...(hasSecretKey(settings) && { seals: createSeals(readSecretKey(settings)) }),
      ...(since && { since }),
      ...(bar && { onProgress: bar.show }),
    }).finally(() => bar?.clear())
    process.stdout.write(json ? `${JSON.stringify(proof)}\n` : describe(proof))
    if (!proof.ok) process.exitCode = 1
    // Whoever mended the books and proves it need not wait for the night until the alarm ends.
    if (!since) await db.transaction((tx) => recordProof(tx, proof))
  })
}

const describe = ({ checks }: Proof) =>
  checks
    .map(
      ({ name, examined, differences }) =>
        `${differences.length === 0 ? 'ok  ' : 'FAIL'} ${name} (${examined})\n` +
        differences.map((difference) => `       ${JSON.stringify(difference)}\n`).join(''),
    )
    .join('')

const isoForm = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/

/** A time, or how long ago. */
export function sinceArgument(text: string): Date {
  const agoMs = parseDuration(text)
  const since = agoMs === undefined ? readTime(text) : new Date(Date.now() - agoMs)
  if (!since || Number.isNaN(since.getTime()) || since.getTime() < 0)
    throw new InvalidArgumentError('must be a time like 2026-11-21T02:00:00Z or a duration like 24h.')
  if (since.getTime() > Date.now()) throw new InvalidArgumentError('must not be in the future.')
  return since
}

function readTime(text: string): Date | undefined {
  // JavaScript takes 30 February for 2 March.
  const [day = ''] = text.split('T', 1)
  const isDay = isoForm.test(text) && new Date(`${day}T00:00Z`).getUTCDate() === Number(day.slice(-2))
  return isDay ? new Date(text) : undefined
}
