import type { Tx } from '../platform/db/database.ts'
import { type JobPayload, schedule } from '../platform/jobs/queue.ts'
import type { Outcome } from './connector.ts'

/**
 * After a failure the rail is asked again, an hour and a day later by the Space's clock: its word that money moved after
 * all may have been lost.
 */
export type SecondLook = { look: 'hour' | 'day'; afterMs: number }

const hourMs = 3_600_000
const dayMs = 24 * hourMs

export const firstLook: SecondLook = { look: 'hour', afterMs: hourMs }

/** Which look follows, if any: the same one again until its answer is clear. */
export function lookAfter(look: SecondLook['look'], { outcome }: Outcome): SecondLook | undefined {
  const isClear = outcome !== 'unknown' && outcome !== 'pending'
  if (!isClear) return { look, afterMs: look === 'hour' ? hourMs : dayMs }
  return look === 'hour' ? { look: 'day', afterMs: dayMs - hourMs } : undefined
}

/** @param payload names what to ask about */
export const scheduleLook = (
  tx: Tx,
  job: 'payments.query' | 'payouts.query',
  payload: JobPayload,
  { look, afterMs }: SecondLook,
  at: Date,
) =>
  schedule(
    tx,
    new Date(at.getTime() + afterMs),
    job,
    { ...payload, isSecondLook: true, look },
    { asksOthers: true },
  )

/** Which look a job is for, if it is one: those that were scheduled before there were two are the first. */
export const lookOf = ({ isSecondLook, look }: JobPayload): SecondLook['look'] | undefined =>
  isSecondLook === true ? (look === 'day' ? 'day' : 'hour') : undefined
