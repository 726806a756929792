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
  type Asked,
  type Asking,
  countOpen,
  deleteRested,
  everySpace,
  lockAsked,
  updateAsked,
} from './prompt-store.ts'
import type { PaymentSettings } from './settings.ts'

/** The phone is asked for payments too often now: it was not asked, and nothing was paid. */
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

/** A phone (E.164) that is to be asked for a payment to this Space. */
export type Prompt = Scoped<{ phoneNumber: string }>

/** How often phones may be asked, each of which is locked until the transaction ends. */
export type PromptBudget = {
  /** Takes one prompt, or says how long to wait for one, in milliseconds. */
  take(prompt: Prompt): number | undefined
  /** Writes what was taken. */
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
  const locked = await lockAsked(tx, environment, prompts.flatMap(askingOf))
  const used = new Map(locked.map(named))
  const nowMs = must(locked[0], 'phone that was locked').now.getTime()
  const phones = [...new Set(prompts.map(({ phoneNumber }) => phoneNumber))]
  // A statement of its own, after the lock: it sees what those began who held the lock before.
  const open = await countOpen(tx, environment, phones, { sinceMs: windowMs, atMost: atOnce })
  const rings = new Map<string, number>()
  const ring = ({ phoneNumber, spaceId }: Asking, times: number) => {
    for (const name of [nameOf({ phoneNumber, spaceId }), nameOf({ phoneNumber, spaceId: everySpace })])
      rings.set(name, (rings.get(name) ?? 0) + times)
  }
  for (const each of open) ring(each, each.open)
  const changed = new Set<Asked>()

  return {
    take({ scope: { spaceId }, phoneNumber }) {
      const [all, ours] = askingOf({ scope: { spaceId, environment }, phoneNumber })
      if ((rings.get(nameOf(all)) ?? 0) >= atOnce) return openWaitMs
      if ((rings.get(nameOf(ours)) ?? 0) >= shareOf(atOnce)) return openWaitMs
      const uses = [all, ours].map((asking) => {
        const row = must(used.get(nameOf(asking)), 'phone that was locked')
        const allowed = asking === all ? perWindow : shareOf(perWindow)
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
      if (changed.size > 0) await updateAsked(tx, environment, [...changed])
    },
  }
}

/** Whoever asks counts as one of all, and as itself. */
const askingOf = ({ scope: { spaceId }, phoneNumber }: Prompt): [all: Asking, ours: Asking] => [
  { phoneNumber, spaceId: everySpace },
  { phoneNumber, spaceId },
]
const nameOf = ({ phoneNumber, spaceId }: Asking) => `${phoneNumber} ${spaceId}`
const named = <Row extends Asking>(row: Row): [string, Row] => [nameOf(row), row]

const unbounded: PromptBudget = { take: () => undefined, save: async () => {} }

/** A phone that may be asked as often as any other need not be remembered. */
export const promptJobs = ({ db }: Platform): Jobs => ({
  'asked-phones.forget': () => db.transaction(async (tx) => void (await deleteRested(tx))),
})
