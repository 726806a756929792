import { must } from '@pesewa/values'
import { globalName, type Scoped } from '../../platform/db/scoped.ts'
import type { Scope } from '../../platform/scope.ts'
import type { Seals } from '../../platform/seals.ts'

/**
 * Creates the references under which instructions are sent to rails. Each is a keyed hash of the instruction's
 * purpose, in the format of a version 4 UUID. If a deployment that was restored from a backup receives a lost
 * request again, it sends the same reference, so the rail does not process the request a second time.
 *
 * A purpose can recur, for example after an idempotency key expires or when a payment is attempted again. Its
 * occurrences are therefore numbered, and the first number whose reference is not stored yet is used.
 *
 * See docs/decisions/0037-provider-references.md.
 *
 * @param findTaken returns those of the references that are already stored in their scopes
 */
export async function newReferences(
  seals: Seals,
  purposes: Scoped<{ purpose: string }>[],
  findTaken: (references: Scoped<{ reference: string }>[]) => Promise<Set<string>>,
): Promise<string[]> {
  const nameOf = ({ scope, purpose }: Scoped<{ purpose: string }>) => globalName(scope, purpose)
  const groups = [...Map.groupBy(purposes, nameOf)]
  const freeOf = new Map<string, string[]>(groups.map(([name]) => [name, []]))
  const freeFor = (name: string) => must(freeOf.get(name), 'purpose of a reference')
  let lacking = groups
  // The number of candidates doubles in each round, so the hundredth occurrence takes seven rounds.
  for (let [first, many] = [0, 1]; lacking.length > 0; [first, many] = [first + many, many * 2]) {
    const candidates = lacking.flatMap(([name, [one]]) =>
      Array.from({ length: many }, (_, i) => {
        const { scope, purpose } = must(one, 'purpose of a reference')
        return { name, scope, reference: referenceOf(seals, scope, purpose, first + i) }
      }),
    )
    const taken = await findTaken(candidates)
    for (const { name, reference } of candidates) if (!taken.has(reference)) freeFor(name).push(reference)
    lacking = lacking.filter(([name, same]) => freeFor(name).length < same.length)
  }
  return purposes.map((one) => must(freeFor(nameOf(one)).shift(), 'free reference'))
}

function referenceOf(seals: Seals, { spaceId, environment }: Scope, purpose: string, number: number): string {
  const text = [environment, spaceId, number, purpose].join(' ')
  const bytes = Buffer.from(seals.fingerprint('rail reference', text), 'base64url').subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
