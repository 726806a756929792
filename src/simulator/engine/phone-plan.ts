import { failure, type Plan, planFor } from './behaviour.ts'
import { countPrompts } from './collection-store.ts'
import { findMode } from './mode-store.ts'
import type { RailParts } from './parts.ts'

/** That wait on one handset; further ones fail. */
const maxPromptsOfPhone = 50

/** The plan for a collection from a phone: by its number, and by the mode that its person has set. */
export async function planForPhone({ db, clock, delays }: RailParts, payer: string): Promise<Plan> {
  const plan = planFor(payer, await findMode(db, payer), delays)
  if (!plan.asks || (await countPrompts(db, payer, clock.now())) < maxPromptsOfPhone) return plan
  return { submit: 'accept', asks: false, outcomes: [failure(0, 'PAYER_LIMIT_REACHED')] }
}
