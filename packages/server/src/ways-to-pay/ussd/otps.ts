import { type NewEvent, publishEach } from '../../events/events.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Scoped } from '../../platform/db/scoped.ts'
import { sql } from '../../platform/db/sql.ts'
import { showId } from '../../platform/ids.ts'
import { scheduleEach } from '../../platform/jobs/queue.ts'
import { existing, Refusal } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import { erased, erasedMask } from '../../tenants/retention/person.ts'
import { formatDialString } from '../payment-codes/payment-codes.ts'
import type { PaymentCodeSettings } from '../payment-codes/settings.ts'
import { freeNumber, type Otp, selectOtp, updateOtpStatus } from './otp-store.ts'
import { otpIds } from './resources.ts'
import { type EndedOtpStatus, next } from './states.ts'

/** Marks an OTP as verified after the phone has dialled it. Returns `undefined` if the OTP is no longer active. */
export async function verifyOtp(
  tx: Tx,
  settings: PaymentCodeSettings,
  scope: Scope,
  id: string,
  at: Date,
): Promise<Otp | undefined> {
  const otp = await selectOtp(tx, scope, id, sql`for update`)
  if (otp?.status !== 'pending' || at >= otp.expiresAt) return undefined
  return end(tx, settings, scope, otp, 'verified', at)
}

/** Expires an OTP early, because the merchant has withdrawn it. Repeating the call has no effect. */
export async function withdrawOtp(tx: Tx, settings: PaymentCodeSettings, scope: Scope, id: string, at: Date) {
  const otp = existing(await selectOtp(tx, scope, id, sql`for update`))
  if (otp.status !== 'expired') await end(tx, settings, scope, otp, 'expired', at)
}

export async function expireOtp(
  tx: Tx,
  settings: PaymentCodeSettings,
  scope: Scope,
  id: string,
  at: Date,
): Promise<void> {
  const otp = await selectOtp(tx, scope, id, sql`for update`)
  if (otp?.status !== 'pending') return
  // The clock of the node that runs this job may be slightly behind.
  if (at >= otp.expiresAt) await end(tx, settings, scope, otp, 'expired', at)
  else scheduleEach(tx, [expiryOf({ ...otp, scope })])
}

/** Returns the job that expires an OTP. */
export const expiryOf = ({ scope, id, expiresAt }: Scoped<Otp>) => ({
  dueAt: expiresAt,
  job: 'ussd-otp.expire',
  payload: { ...scope, otpId: id },
})

async function end(
  tx: Tx,
  settings: PaymentCodeSettings,
  scope: Scope,
  otp: Otp,
  status: EndedOtpStatus,
  at: Date,
): Promise<Otp> {
  if (!next[otp.status].includes(status)) throw new Refusal('state_conflict')
  const ended: Otp = { ...otp, status }
  await updateOtpStatus(tx, scope, ended)
  await freeNumber(tx, scope, otp)
  publishEach(tx, [eventOf(settings, { ...ended, scope }, status, at)])
  return ended
}

export const eventOf = (
  settings: PaymentCodeSettings,
  otp: Scoped<Otp>,
  happening: 'created' | EndedOtpStatus,
  at: Date,
): Scoped<NewEvent> => ({
  scope: otp.scope,
  types: [`ussd_otp.${happening}`],
  objectId: otp.id,
  data: presentOtp(settings, otp),
  at,
})

/** Returns the OTP as an API resource. */
export function presentOtp(settings: PaymentCodeSettings, otp: Otp) {
  return {
    id: showId(otpIds, otp.id),
    status: otp.status,
    dialCode: formatDialString(settings.ussdShortCode, otp.number),
    authorizedPhoneNumber: otp.phoneNumber === erased ? erasedMask : otp.phoneNumber,
    verificationMessage: otp.verificationMessage,
    createTime: otp.createdAt.toISOString(),
    expireTime: otp.expiresAt.toISOString(),
    metadata: otp.metadata,
  }
}
