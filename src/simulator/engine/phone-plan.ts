import { failure, type Plan, planFor } from './behaviour.ts'
import type { RailParts } from './parts.ts'
import { countPrompts, findMode } from './store.ts'

/** That wait on one handset; what else is asked of it fails. */
const maxPromptsOfPhone = 50 // limit: prompts that wait on one handset

/** What becomes of a collection that is asked of a phone: by its number, and by what its person has set. */
export async function planForPhone({ db, clock, delays }: RailParts, payer: string): Promise<Plan> {
  const plan = planFor(payer, await findMode(db, payer), delays)
  if (!plan.asks || (await countPrompts(db, payer, clock.now())) < maxPromptsOfPhone) return plan
  return { submit: 'accept', asks: false, outcomes: [failure(0, 'PAYER_LIMIT_REACHED')] }
}
