import { must } from '@pesewa/values'
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

/**
 * Claims texts at home, before the transaction in which the cell creates the objects. A claim whose object is not created is
 * freed by a daily job. Requests with the same key share a claim on this node, because only one of them creates an object.
 */
export function openClaims(
  home: HomeDatabase,
  {
    derive,
    claim,
  }: {
    /**
     * Returns a text, derived from the idempotency key, so that a request repeated after a restore gets the same one. Each
     * attempt leads to another text.
     */
    derive(claimant: Claimant, attempt: number): string
    /** Claims the texts that are free, and returns the ids of those claims. */
    claim(tx: HomeTx, claims: Scoped<Claim>[]): Promise<Set<string>>
  },
) {
  const claims = createCache<string, Claim>({ max: maxKept, ttl: keptMs })

  /** Tries to claim the text of an attempt for each of these requests, and returns those for which it was taken. */
  async function attemptEach(claimants: Claimant[], attempt: number): Promise<Claimant[]> {
    if (claimants.length === 0) return []
    const wanted = claimants.map((claimant) => ({
      scope: claimant.scope,
      id: newId(claimant.now),
      text: derive(claimant, attempt),
    }))
    const claimed = await home.transaction((tx) => claim(tx, wanted))
    return claimants.filter((claimant, i) => {
      const { id, text } = must(wanted[i], 'wanted claim')
      if (claimed.has(id)) claims.set(nameOf(claimant), { id, text })
      return !claimed.has(id)
    })
  }

  const withoutClaim = (claimants: Claimant[]) =>
    claimants.filter((claimant) => !claims.has(nameOf(claimant)))

  return {
    /** Claims a text for each request, and returns the claims. There are none for requests that are perhaps repeated. */
    async claimFirst(claimants: Claimant[]): Promise<(Claim | undefined)[]> {
      await attemptEach(withoutClaim(claimants), 0)
      return claimants.map((claimant) => claims.get(nameOf(claimant)))
    },

    /** Claims a text for each request, which is known to be new. */
    async claimEach(claimants: Claimant[]): Promise<Claim[]> {
      let left = withoutClaim(claimants)
      for (let attempt = 0; left.length > 0; attempt++) left = await attemptEach(left, attempt)
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
    if (!found) throw new Refusal('idempotency_key_in_progress', { headers: { 'retry-after': '1' } })
    return found
  }
}
