import { recordProof } from '../../finance/books/proofs.ts'
import { type Proof, verifyBooks } from '../../finance/books/verify.ts'
import { createSeals } from '../../platform/seals.ts'
import { hasSecretKey, readSecretKey } from '../../platform/secret-key.ts'
import { findChecks, readSettings } from '../../slices.ts'
import { painted } from '../output/colour.ts'
import { withDatabase } from './command-database.ts'
import { progressBar } from './progress-bar.ts'

export type VerifyOptions = { since?: Date; verbose?: boolean; json?: boolean }

/** `pesewa verify`: prints the result and sets the exit code. */
export async function verify({ since, verbose, json }: VerifyOptions): Promise<void> {
  const proof = await proveBooks({ isSilent: json === true, ...(since && { since }) })
  process.stdout.write(json ? `${JSON.stringify(proof)}\n` : describeProof(proof, verbose))
}

/**
 * Verifies the books, shows progress on a terminal and records the result. Sets the exit code to 1 if the books
 * do not balance.
 */
export async function proveBooks({ since, isSilent }: { since?: Date; isSilent: boolean }): Promise<Proof> {
  const settings = readSettings(process.env)
  const bar = isSilent ? undefined : progressBar(process.stderr)
  return withDatabase(async (db) => {
    const proof = await verifyBooks(db, findChecks, {
      connections: 2,
      ...(hasSecretKey(settings) && { seals: createSeals(readSecretKey(settings)) }),
      ...(since && { since }),
      ...(bar && { onProgress: bar.show }),
    }).finally(() => bar?.clear())
    if (!proof.ok) process.exitCode = 1
    // Records the result, so that a successful verification after a repair clears the alarm without waiting for
    // the nightly run.
    if (!since) await db.transaction((tx) => recordProof(tx, proof))
    return proof
  })
}

/**
 * Returns one sentence with the result. Checks that failed precede it, each with its differences; with
 * `isVerbose`, all checks do.
 */
export function describeProof({ checks, seconds, since, skipped = [] }: Proof, isVerbose = false): string {
  const failed = checks.filter(({ differences }) => differences.length > 0)
  const shown = (isVerbose ? checks : failed).map(
    ({ name, examined, differences }) =>
      `${painted(differences.length === 0 ? 'ok  ' : 'FAIL', process.stdout)} ${name} (${examined})\n` +
      differences.map((difference) => `       ${JSON.stringify(difference)}\n`).join(''),
  )
  const time = `${Math.max(seconds, 0.1).toFixed(1)} s`
  const scope = since ? `, for what was added since ${since.toISOString()}` : ''
  const result =
    failed.length === 0
      ? `All ${checks.length} checks passed in ${time}${scope}.`
      : `${failed.length} of ${checks.length} checks failed in ${time}${scope}: the books do not balance.`
  const without =
    skipped.length === 0
      ? ''
      : `${skipped.length} checks that decrypt numbers and names were skipped, because the master key is not available.\n`
  return `${shown.join('')}${without}${result}\n`
}
