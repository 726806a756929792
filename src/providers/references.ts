import { nameIn, type Scoped } from '../platform/db/scoped.ts'
import { must } from '../platform/must.ts'
import type { Scope } from '../platform/scope.ts'
import type { Seals } from '../platform/seals.ts'

/**
 * References under which instructions are sent to rails: UUIDs in the form of version 4, each a keyed hash of its purpose.
 * A deployment that was restored from a backup, and gets a request again that it has lost, thereby sends the same
 * reference, and the rail does nothing twice.
 *
 * A purpose may come again: an expired idempotency key, another attempt. So it is numbered, and gets the first number
 * whose reference is not in the books yet.
 *
 * @param purposes no two the same
 * @param findTaken returns which of some references are in the books of their scopes
 */
export async function newReferences(
  seals: Seals,
  purposes: Scoped<{ purpose: string }>[],
  findTaken: (references: Scoped<{ reference: string }>[]) => Promise<Set<string>>,
): Promise<string[]> {
  const byName = new Map<string, string>()
  const nameOf = ({ scope, purpose }: Scoped<{ purpose: string }>) => nameIn(scope, purpose)
  // Twice as many in each round: the hundredth time takes seven.
  for (let [first, many] = [0, 1]; byName.size < purposes.length; [first, many] = [first + many, many * 2]) {
    const candidates = purposes
      .filter((one) => !byName.has(nameOf(one)))
      .map((one) => ({
        one,
        references: Array.from({ length: many }, (_, i) => ({
          scope: one.scope,
          reference: referenceOf(seals, one.scope, one.purpose, first + i),
        })),
      }))
    const taken = await findTaken(candidates.flatMap(({ references }) => references))
    for (const { one, references } of candidates) {
      const free = references.find(({ reference }) => !taken.has(reference))
      if (free) byName.set(nameOf(one), free.reference)
    }
  }
  return purposes.map((one) => must(byName.get(nameOf(one)), 'free reference'))
}

function referenceOf(seals: Seals, { spaceId, environment }: Scope, purpose: string, number: number): string {
  const text = [environment, spaceId, number, purpose].join(' ')
  const bytes = Buffer.from(seals.fingerprint('rail reference', text), 'base64url').subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
