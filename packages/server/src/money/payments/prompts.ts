import { must } from '@pesewa/values'
import type { PlatformSettings } from '../../platform/config.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Scoped } from '../../platform/db/scoped.ts'
import { wholeMinutes } from '../../platform/duration.ts'
import type { Jobs } from '../../platform/jobs/runner.ts'
import type { Platform } from '../../platform/platform.ts'
import { Refusal } from '../../platform/refusals.ts'
import type { Environment } from '../../platform/scope.ts'
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

/** The phone has reached its prompt limit. No prompt was sent, and nothing was paid. */
export class PromptLimitReached extends Refusal {
  readonly waitMs: number

  constructor(waitMs: number) {
    super('too_many_requests', {
      message: 'This phone has received too many payment requests; no further request was sent.',
      headers: { 'retry-after': String(60 * wholeMinutes(waitMs)) },
    })
    this.waitMs = waitMs
  }
}

/** A prompt to the phone of one of this Space's payers. The phone number is in E.164 format. */
export type Prompt = Scoped<{ phoneNumber: string }>

/** The prompt budgets of phones, whose rows stay locked until the transaction ends. */
export type PromptBudget = {
  /** Uses one prompt or, if none is available, returns the time in milliseconds until one will be. */
  take(prompt: Prompt): number | undefined
  /** Writes the number of prompts used. */
  save(): void
}

/** An unanswered prompt stays on the phone for a minute or two. */
const openWaitMs = 60_000
/**
 * Returns the part of a limit that one Space may use: three quarters, so that a Space cannot block the payers
 * of all other Spaces.
 */
const shareOf = (all: number) => Math.max(1, all - Math.max(1, all >> 2)) // prompts that one Space may send to one phone: three quarters of the limit

/**
 * Returns the prompt budgets of phones, which apply across all Spaces, sessions and codes of an environment.
 * They limit the number of open prompts and the number of prompts per time window. The latter uses GCRA: up to
 * n prompts can be sent at once. After that, one more becomes available each time an n-th of the window has
 * passed.
 *
 * See docs/decisions/0049-attempts-and-prompts.md.
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
  const asking = [...new Map(prompts.flatMap(keysOf).map(named)).values()]
  const locked = await lockPhones(tx, environment, asking)
  const used = new Map(locked.map(named))
  const nowMs = must(locked[0], 'locked phone').now.getTime()
  // This is a separate statement after the lock, so that it sees the payments of the previous lock holder.
  const ours = asking.filter(({ spaceId }) => spaceId !== everySpace)
  const open = await countOpen(tx, environment, ours, { sinceMs: windowMs, atMost: atOnce })
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
        const row = must(used.get(nameOf(key)), 'locked phone')
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
    save() {
      if (changed.size > 0) updatePhones(tx, environment, [...changed])
    },
  }
}

/** Returns the two limits that a prompt counts towards: one for all Spaces and one for its own Space. */
const keysOf = ({ scope: { spaceId }, phoneNumber }: Prompt): [all: PromptedPhone, ours: PromptedPhone] => [
  { phoneNumber, spaceId: everySpace },
  { phoneNumber, spaceId },
]
const nameOf = ({ phoneNumber, spaceId }: PromptedPhone) => `${phoneNumber} ${spaceId}`
const named = <Row extends PromptedPhone>(row: Row): [string, Row] => [nameOf(row), row]

const unbounded: PromptBudget = { take: () => undefined, save: () => {} }

/** The job that deletes the rows of phones whose prompts no longer count. */
export const promptJobs = ({ db, settings }: Platform<PaymentSettings>): Jobs => ({
  'asked-phones.forget': () =>
    db.transaction(async (tx) => void (await deleteUnused(tx, settings.promptsWindowMs))),
})
