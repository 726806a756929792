import type { PlatformSettings } from '../platform/config.ts'
import type { Tx } from '../platform/db/database.ts'
import type { Scoped } from '../platform/db/scoped.ts'
import { wholeMinutes } from '../platform/duration.ts'
import type { Jobs } from '../platform/jobs/runner.ts'
import { must } from '../platform/must.ts'
import type { Platform } from '../platform/platform.ts'
import { Refusal } from '../platform/refusals.ts'
import type { Environment } from '../platform/scope.ts'
import {
  countOpen,
  deleteUnused,
  everySpace,
  lockPhones,
  type PhoneUse,
  type PromptedPhone,
  updatePhones,
} from './prompt-store.ts'
import type { PaymentSettings } from './settings.ts'

/** The phone has had too many prompts: it got no other, and nothing was paid. */
export class PhoneAskedOften extends Refusal {
  readonly waitMs: number

  constructor(waitMs: number) {
    super('too_many_requests', {
      message: 'This phone is getting too many payment requests right now; no other one was sent.',
      headers: { 'retry-after': String(60 * wholeMinutes(waitMs)) },
    })
    this.waitMs = waitMs
  }
}

/** To the phone (E.164) of a payer of this Space. */
export type Prompt = Scoped<{ phoneNumber: string }>

/** How many prompts phones may get, whose rows are locked until the transaction ends. */
export type PromptBudget = {
  /** Uses one prompt, or returns how long to wait for one, in milliseconds. */
  take(prompt: Prompt): number | undefined
  /** Writes what was used. */
  save(): Promise<void>
}

/** A prompt that is not answered rings for a minute or two. */
const openWaitMs = 60_000 // limit: how long a prompt counts as open
/** Of both bounds one Space may use three quarters: it cannot keep the payers of all others from paying. */
const shareOf = (all: number) => Math.max(1, all - Math.max(1, all >> 2)) // limit: prompts of one phone that one Space may send: three quarters

/**
 * Opens the budget of phones, over all Spaces, sessions and codes of an environment: how many prompts may be open at
 * once, and how many there may be within a time (GCRA: so many at once, then one each n-th part of that time).
 */
export async function openPromptBudget(
  tx: Tx,
  settings: PlatformSettings & PaymentSettings,
  environment: Environment,
  prompts: Prompt[],
): Promise<PromptBudget> {
  if (settings.rateLimits === 'off' || prompts.length === 0) return unbounded
  const isLive = environment === 'live'
  const atOnce = isLive ? settings.promptsAtOnceLive : settings.promptsAtOnceTest
  const perWindow = isLive ? settings.promptsLive : settings.promptsTest
  const windowMs = settings.promptsWindowMs
  const locked = await lockPhones(tx, environment, prompts.flatMap(keysOf))
  const used = new Map(locked.map(named))
  const nowMs = must(locked[0], 'phone that was locked').now.getTime()
  const phones = [...new Set(prompts.map(({ phoneNumber }) => phoneNumber))]
  // A statement of its own, after the lock: it sees the payments of whoever held the lock before.
  const open = await countOpen(tx, environment, phones, { sinceMs: windowMs, atMost: atOnce })
  const rings = new Map<string, number>()
  const ring = ({ phoneNumber, spaceId }: PromptedPhone, times: number) => {
    for (const name of [nameOf({ phoneNumber, spaceId }), nameOf({ phoneNumber, spaceId: everySpace })])
      rings.set(name, (rings.get(name) ?? 0) + times)
  }
  for (const each of open) ring(each, each.open)
  const changed = new Set<PhoneUse>()

  return {
    take({ scope: { spaceId }, phoneNumber }) {
      const [all, ours] = keysOf({ scope: { spaceId, environment }, phoneNumber })
      if ((rings.get(nameOf(all)) ?? 0) >= atOnce) return openWaitMs
      if ((rings.get(nameOf(ours)) ?? 0) >= shareOf(atOnce)) return openWaitMs
      const uses = [all, ours].map((key) => {
        const row = must(used.get(nameOf(key)), 'phone that was locked')
        const allowed = key === all ? perWindow : shareOf(perWindow)
        return { row, untilMs: Math.max(row.usedUntil.getTime(), nowMs) + windowMs / allowed }
      })
      const waitMs = Math.max(...uses.map(({ untilMs }) => untilMs)) - nowMs - windowMs
      if (waitMs > 0) return waitMs
      for (const { row, untilMs } of uses) {
        row.usedUntil = new Date(untilMs)
        changed.add(row)
      }
      ring(ours, 1)
      return undefined
    },
    async save() {
      if (changed.size > 0) await updatePhones(tx, environment, [...changed])
    },
  }
}

/** Every prompt counts for all Spaces, and for its own. */
const keysOf = ({ scope: { spaceId }, phoneNumber }: Prompt): [all: PromptedPhone, ours: PromptedPhone] => [
  { phoneNumber, spaceId: everySpace },
  { phoneNumber, spaceId },
]
const nameOf = ({ phoneNumber, spaceId }: PromptedPhone) => `${phoneNumber} ${spaceId}`
const named = <Row extends PromptedPhone>(row: Row): [string, Row] => [nameOf(row), row]

const unbounded: PromptBudget = { take: () => undefined, save: async () => {} }

/** A phone whose prompts no longer count need not be remembered. */
export const promptJobs = ({ db }: Platform): Jobs => ({
  'asked-phones.forget': () => db.transaction(async (tx) => void (await deleteUnused(tx))),
})
