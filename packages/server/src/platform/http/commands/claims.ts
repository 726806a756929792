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
    insert,
  }: {
    /**
     * Returns a text, derived from the idempotency key, so that a request repeated after a restore gets the same one. Each
     * attempt leads to another text.
     */
    derive(claimant: Claimant, attempt: number): string
    /** Claims the texts that are free, and returns the ids of those claims. */
    insert(tx: HomeTx, claims: Scoped<Claim>[]): Promise<Set<string>>
  },
) {
  const claims = createCache<string, Claim>({ max: maxKept, ttl: keptMs })
  /** Claims that are being made, by the names of their requests. */
  const underWay = new Map<string, Promise<void>>()

  const withoutClaim = (claimants: Claimant[]) =>
    claimants.filter((claimant) => !claims.has(nameOf(claimant)))

  /** Tries to claim the text of an attempt for each of these requests, and returns those that still have none. */
  async function attemptEach(claimants: Claimant[], attempt: number): Promise<Claimant[]> {
    await Promise.allSettled(claimants.map((claimant) => underWay.get(nameOf(claimant))))
    const missing = withoutClaim(claimants)
    if (missing.length === 0) return []
    const claiming = claim(missing, attempt)
    for (const claimant of missing) underWay.set(nameOf(claimant), claiming)
    try {
      await claiming
    } finally {
      for (const claimant of missing) underWay.delete(nameOf(claimant))
    }
    return withoutClaim(missing)
  }

  async function claim(claimants: Claimant[], attempt: number): Promise<void> {
    const wanted = claimants.map((claimant) => ({
      scope: claimant.scope,
      id: newId(claimant.now),
      text: derive(claimant, attempt),
    }))
    const claimed = await home.transaction((tx) => insert(tx, wanted))
    for (const [i, claimant] of claimants.entries()) {
      const { id, text } = must(wanted[i], 'wanted claim')
      if (claimed.has(id)) claims.set(nameOf(claimant), { id, text })
    }
  }

  return {
    /** Claims a text for each request, and returns the claims. There are none for requests that are perhaps repeated. */
    async claimFirst(claimants: Claimant[]): Promise<(Claim | undefined)[]> {
      await attemptEach(claimants, 0)
      return claimants.map((claimant) => claims.get(nameOf(claimant)))
    },

    /** Claims a text for each request, which is known to be new. */
    async claimEach(claimants: Claimant[]): Promise<Claim[]> {
      let left = claimants
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

/** Some claims in the order of a directory: those of them that are lost, and the last one; `null` if there are none. */
export type LostClaims = { lost: string[]; last: string | null }

const claimsAtOnce = 10_000 // claims that are looked up in one statement

/** Frees claims whose objects were not created, because the node ended in between. Reads a directory in parts. */
export async function freeLostClaims(
  home: HomeDatabase,
  select: (after: string, count: number) => Promise<LostClaims>,
  free: (tx: HomeTx, lost: string[]) => Promise<unknown>,
): Promise<void> {
  for (let after: string | null = ''; after !== null; ) {
    const { lost, last } = await select(after, claimsAtOnce)
    if (lost.length > 0) await home.transaction((tx) => free(tx, lost))
    after = last
  }
}
