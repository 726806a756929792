import type { FastifyRequest } from 'fastify'
import { together } from '../../platform/db/lookups.ts'
import { callerKey } from '../../platform/http/admission/caller.ts'
import { pathParams } from '../../platform/http/server/request.ts'
import { requireFree } from '../../platform/limits/limits.ts'
import { existing, Refusal } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import { shareReads } from '../../platform/shared-reads.ts'
import { type Brand, emptyBrand, selectRequestedBrand } from '../../tenants/spaces/brands.ts'
import { type Space, selectRequestedSpace } from '../../tenants/spaces/store.ts'
import { readCapabilityKey } from '../checkout/page-key.ts'
import type { PageParts } from '../checkout/visits.ts'
import type { PaymentCodeSettings } from '../payment-codes/settings.ts'
import { findAddressed } from './address-store.ts'
import { readAddress } from './addresses.ts'
import { keyPurpose } from './payment-links.ts'
import { type PaymentLink, selectRequestedLink } from './store.ts'

export type LinkPageParts = PageParts & { settings: PaymentCodeSettings }

/** Everything that is needed to handle one visit to a link's page. */
export type LinkVisit = {
  key: string
  scope: Scope
  link: PaymentLink
  space: Space
  brand: Brand
  now: Date
}

/** Loads the link that a page's URL identifies, and handles the visit with access to the link's Space only. */
export async function inLinkVisit<T>(
  parts: LinkPageParts,
  find: ReturnType<typeof shareLinkVisits>,
  request: FastifyRequest,
  handle: (visit: LinkVisit) => Promise<T>,
): Promise<T> {
  const { clock, db } = parts
  const { key, scope, id } = existing(await find.named(request))
  return db.within(scope.spaceId, async () => {
    const { link, space, brand } = existing(await find.visited(scope, id))
    if (!link || !space) throw new Refusal('not_found')
    return handle({ key, scope, link, space, brand: brand ?? emptyBrand, now: clock.now(scope) })
  })
}

/** Returns the functions that look up what a visit needs. Concurrent visits share their queries. */
export const shareLinkVisits = (parts: LinkPageParts) => ({
  named: createLinkFinder(parts),
  visited: shareReads(
    parts.db,
    together({ link: selectRequestedLink, space: selectRequestedSpace, brand: selectRequestedBrand }),
  ),
})

const maxMisses = 300 // limit: payment link addresses that do not exist that an IP address can try in ten minutes
const missWindowMs = 600_000

/**
 * Returns a function that finds the link that a page's URL names, by its address or by a signed key. An IP
 * address that tries too many addresses that do not exist is refused, because it is looking for other people's
 * links. `key` is the canonical form of what the URL contains.
 */
function createLinkFinder({ db, seals, settings, ...parts }: LinkPageParts) {
  return async (request: FastifyRequest): Promise<{ key: string; scope: Scope; id: string } | undefined> => {
    const { key = '' } = pathParams(request)
    const address = readAddress(key)
    if (address === undefined) {
      const named = readCapabilityKey(seals, keyPurpose, key)
      return named && { key, ...named }
    }
    const misses = {
      name: 'link-miss-limit',
      key: `link miss ${callerKey(request.ip)}`,
      atMost: maxMisses,
      perMs: missWindowMs,
    }
    if (settings.rateLimits === 'on') await requireFree(parts, misses)
    const found = await findAddressed(db, address)
    if (!found) parts.limiter.count(misses)
    const { id, ...scope } = existing(found)
    return { key: address, scope, id }
  }
}
