import type { Scope } from '../platform/clock.ts'
import type { Settings } from '../platform/config.ts'
import type { Tx } from '../platform/db/database.ts'
import { wholeMinutes } from '../platform/duration.ts'
import type { Jobs } from '../platform/jobs/runner.ts'
import type { Platform } from '../platform/platform.ts'
import { Refusal } from '../platform/refusals.ts'
import {
  type Asked,
  countOpen,
  deleteRested,
  everySpace,
  lockAsked,
  type Open,
  updateAsked,
} from './prompt-store.ts'

/** The phone is asked for payments too often now: it was not asked, and nothing was paid. */
export class PhoneAskedOften extends Refusal {
  readonly waitMs: number

  constructor(waitMs: number) {
    super('too_many_requests', {
      message: 'This phone is asked for payments too often right now; it was not asked again.',
      headers: { 'retry-after': String(60 * wholeMinutes(waitMs)) },
    })
    this.waitMs = waitMs
  }
}

/** How often phones may be asked, each of which is locked until the transaction ends. */
export type PromptBudget = {
  /** Takes one prompt of this phone, or says how long to wait for one, in milliseconds. */
  take(phoneNumber: string): number | undefined
  /** Writes what was taken. */
  save(): Promise<void>
}

/** A prompt that is not answered rings for a minute or two. */
const openWaitMs = 60_000
/** Of both bounds one Space may use three quarters: it cannot keep the payers of all others from paying. */
const shareOf = (all: number) => Math.max(1, all - Math.max(1, all >> 2))

/**
 * Opens the budget of these phones (E.164), over all Spaces, sessions and codes: how many prompts may be open at once,
 * and how many there may be within a time (GCRA: so many at once, then one each n-th part of that time).
 */
export async function openPromptBudget(
  tx: Tx,
  settings: Settings,
  scope: Scope,
  phoneNumbers: string[],
): Promise<PromptBudget> {
  if (settings.rateLimits === 'off' || phoneNumbers.length === 0) return unbounded
  const isLive = scope.environment === 'live'
  const atOnce = isLive ? settings.promptsAtOnceLive : settings.promptsAtOnceTest
  const perWindow = isLive ? settings.promptsLive : settings.promptsTest
  const windowMs = settings.promptsWindowMs
  const phones = [...new Set(phoneNumbers)]
  const asked = await lockAsked(tx, scope, phones)
  const nowMs = asked[0]!.now.getTime()
  // A statement of its own, after the lock: it sees what those began who held the lock before.
  const open = new Map<string, Open>(
    (await countOpen(tx, scope, phones, { sinceMs: windowMs, atMost: atOnce })).map((row) => [
      row.phoneNumber,
      row,
    ]),
  )
  const ofPhone = Map.groupBy(asked, ({ phoneNumber }) => phoneNumber)
  const changed = new Set<Asked>()

  return {
    take(phoneNumber) {
      const now = open.get(phoneNumber) ?? { phoneNumber, open: 0, ours: 0 }
      if (now.open >= atOnce || now.ours >= shareOf(atOnce)) return openWaitMs
      const uses = ofPhone.get(phoneNumber)!.map((row) => {
        const allowed = row.spaceId === everySpace ? perWindow : shareOf(perWindow)
        return { row, untilMs: Math.max(row.usedUntil.getTime(), nowMs) + windowMs / allowed }
      })
      const waitMs = Math.max(...uses.map(({ untilMs }) => untilMs)) - nowMs - windowMs
      if (waitMs > 0) return waitMs
      for (const { row, untilMs } of uses) {
        row.usedUntil = new Date(untilMs)
        changed.add(row)
      }
      open.set(phoneNumber, { ...now, open: now.open + 1, ours: now.ours + 1 })
      return undefined
    },
    async save() {
      if (changed.size > 0) await updateAsked(tx, scope.environment, [...changed])
    },
  }
}

const unbounded: PromptBudget = { take: () => undefined, save: async () => {} }

/** A phone that may be asked as often as any other need not be remembered. */
export const promptJobs = ({ db }: Platform): Jobs => ({
  'asked-phones.forget': () => db.transaction(async (tx) => void (await deleteRested(tx))),
})
