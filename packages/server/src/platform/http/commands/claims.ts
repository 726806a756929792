import { createCache } from '../../cache.ts'
import type { HomeDatabase, HomeTx } from '../../db/database.ts'
import { globalName, type Scoped } from '../../db/scoped.ts'
import { newId } from '../../ids.ts'
import { Refusal } from '../../refusals.ts'

/**
 * A text, such as a number that payers dial, that no two objects of any Spaces may share. It was claimed at home for an
 * object with this id.
 */
export type Claim = { id: string; text: string }

const maxKept = 10_000 // claims that a node keeps
/** Longer than a request takes, and shorter than a claim without an object is kept. */
const keptMs = 300_000

/** A request to create an object with a claim. */
export type Claimant = Scoped<{ idempotencyKey: string; now: Date }>

const nameOf = ({ scope, idempotencyKey }: Claimant) => globalName(scope, idempotencyKey)

export type OpenClaims = ReturnType<typeof openClaims>

/** `attempt` counts the texts that were taken. */
type Wanted = Claim & { attempt: number; isClaimed: boolean }

/**
 * Claims texts at home, before the transaction in which the cell creates the objects. A daily job frees claims whose objects were
 * not created. Requests with the same key share a claim on this node, because only one of them creates an object. A
 * claim is written again when it is used again, in case the database has lost it in a failover.
 */
export function openClaims(
  home: HomeDatabase,
  {
    derive,
    insert,
  }: {
    /**
     * Returns a text, derived from the idempotency key, so that a request repeated after a restore gets the same one. Each
     * attempt leads to another text.
     */
    derive(claimant: Claimant, attempt: number): string
    /** Claims the texts that are free, and returns the ids of these claims and of those that already exist. */
    insert(tx: HomeTx, claims: Scoped<Claim>[]): Promise<Set<string>>
  },
) {
  const claims = createCache<string, Wanted>({ max: maxKept, ttl: keptMs })

  function want(claimant: Claimant, attempt: number): Wanted {
    const text = derive(claimant, attempt)
    const wanted = { id: newId(claimant.now), text, attempt, isClaimed: false }
    claims.set(nameOf(claimant), wanted)
    return wanted
  }

  /** Tries to claim the text that is wanted for each request, and returns what was wanted. */
  async function claimWanted(claimants: Claimant[]): Promise<{ claimant: Claimant; wanted: Wanted }[]> {
    const tries = claimants.map((claimant) => ({
      claimant,
      wanted: claims.get(nameOf(claimant)) ?? want(claimant, 0),
    }))
    const claimed = await home.transaction((tx) =>
      insert(
        tx,
        tries.map(({ claimant: { scope }, wanted }) => ({ ...wanted, scope })),
      ),
    )
    for (const { wanted } of tries) wanted.isClaimed = claimed.has(wanted.id)
    return tries
  }

  return {
    /** Tries to claim a text for each request. There is none for requests that were perhaps carried out before. */
    claimFirst: async (claimants: Claimant[]): Promise<(Claim | undefined)[]> =>
      (await claimWanted(claimants)).map(({ wanted }) => (wanted.isClaimed ? wanted : undefined)),

    /** Claims a text for each request, which is known to be new. */
    async claimEach(claimants: Claimant[]): Promise<Claim[]> {
      for (let left = claimants; left.length > 0; ) {
        const taken = (await claimWanted(left)).filter(({ wanted }) => !wanted.isClaimed)
        // A request with the same key may already want another text.
        for (const { claimant, wanted } of taken)
          if (claims.get(nameOf(claimant)) === wanted) want(claimant, wanted.attempt + 1)
        left = taken.map(({ claimant }) => claimant)
      }
      return claimants.map(find)
    },

    find,
  }

  /**
   * Returns the claim of a request.
   *
   * @throws Refusal `idempotency_key_in_progress` if it has none, because its key expired while it was executed
   */
  function find(claimant: Claimant): Claim {
    const found = claims.get(nameOf(claimant))
    if (!found?.isClaimed)
      throw new Refusal('idempotency_key_in_progress', { headers: { 'retry-after': '1' } })
    return found
  }
}

/** Some claims in the order of a directory: those of them that are lost, and the last one; `null` if there are none. */
export type LostClaims = { lost: string[]; last: string | null }

const claimsAtOnce = 10_000 // claims that are looked up in one statement

/** Frees claims made before a time whose objects were not created, because the node ended in between. Reads a directory in parts. */
export async function freeLostClaims(
  home: HomeDatabase,
  before: Date,
  select: (before: Date, after: string, count: number) => Promise<LostClaims>,
  free: (tx: HomeTx, lost: string[], before: Date) => Promise<unknown>,
): Promise<void> {
  for (let after: string | null = ''; after !== null; ) {
    const { lost, last } = await select(before, after, claimsAtOnce)
    if (lost.length > 0) await home.transaction((tx) => free(tx, lost, before))
    after = last
  }
}
