import { randomInt } from 'node:crypto'
import { must } from '@pesewa/values'
import { parsePhone } from '@pesewa/values/phones'
import { publish } from '../../events/events.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { durationMs } from '../../platform/duration.ts'
import type { Metadata } from '../../platform/http/shapes/shapes.ts'
import { newId, showId } from '../../platform/ids.ts'
import { schedule } from '../../platform/jobs/queue.ts'
import { existing, Issues, Refusal } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import { selectSpace } from '../../tenants/spaces/store.ts'
import { formatDialString } from '../payment-codes/payment-codes.ts'
import type { PaymentCodeSettings } from '../payment-codes/settings.ts'
import {
  claimNumber,
  countOpen,
  freeNumber,
  insertOtp,
  type Otp,
  selectOtp,
  updateOtpStatus,
} from './otp-store.ts'
import { otpIds } from './resources.ts'
import { type EndedOtpStatus, next } from './states.ts'

export const defaultDuration = '5m' // limit: default lifetime of an OTP
/** The more OTPs are active for one phone in one Space, the easier it is to guess one. */
const maxOpen = 100 // limit: active OTPs for one phone in one Space

type NewOtp = {
  authorizedPhoneNumber: string
  verificationMessage?: string
  duration?: string
  metadata?: Metadata
}

/**
 * Creates an OTP. By dialling the digits that the merchant shows, the holder of the phone proves that they
 * possess it.
 */
export async function createOtp(
  tx: Tx,
  settings: PaymentCodeSettings,
  scope: Scope,
  { authorizedPhoneNumber, verificationMessage, duration = defaultDuration, metadata = {} }: NewOtp,
  at: Date,
) {
  const issues = new Issues()
  const phoneNumber = await validatePhone(tx, scope, authorizedPhoneNumber, issues)
  if (phoneNumber === undefined) throw issues.refusal()
  if ((await countOpen(tx, scope, phoneNumber, maxOpen)) === maxOpen)
    throw new Refusal('state_conflict', {
      message: `This phone already has ${maxOpen} active OTPs. Cancel one or wait for one to expire.`,
    })
  const otp = await claimDigits(tx, scope, {
    id: newId(at),
    status: 'pending',
    phoneNumber,
    verificationMessage: verificationMessage || null,
    metadata,
    expiresAt: new Date(at.getTime() + durationMs(duration)),
    createdAt: at,
  })
  await insertOtp(tx, scope, otp)
  await scheduleExpiry(tx, scope, otp)
  await publishOtp(tx, settings, scope, otp, 'created', at)
  return otp
}

export async function validatePhone(
  db: Reader,
  scope: Scope,
  text: string,
  issues: Issues,
): Promise<string | undefined> {
  const { country } = must(await selectSpace(db, scope.spaceId), 'Space of a call')
  const phoneNumber = parsePhone(text, country, scope.environment)
  if (phoneNumber === undefined) issues.add('authorizedPhoneNumber', 'must be a phone number')
  return phoneNumber
}

const maxTries = 1_000 // maximum number of attempts to find free digits for an OTP

/** Assigns an OTP digits that do not belong to another active OTP for the phone, and returns it. */
async function claimDigits(tx: Tx, scope: Scope, otp: Omit<Otp, 'number'>): Promise<Otp> {
  for (let tries = 0; tries < maxTries; tries++) {
    const numbered = { ...otp, number: String(randomInt(1e6)).padStart(6, '0') }
    if (await claimNumber(tx, scope, numbered)) return numbered
  }
  throw new Refusal('state_conflict', {
    message: 'This phone has too many active OTPs. Wait for one to expire.',
  })
}

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
  else await scheduleExpiry(tx, scope, otp)
}

const scheduleExpiry = (tx: Tx, scope: Scope, { id, expiresAt }: Otp) =>
  schedule(tx, expiresAt, 'ussd-otp.expire', { ...scope, otpId: id })

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
  await publishOtp(tx, settings, scope, ended, status, at)
  return ended
}

const publishOtp = (
  tx: Tx,
  settings: PaymentCodeSettings,
  scope: Scope,
  otp: Otp,
  happening: 'created' | EndedOtpStatus,
  at: Date,
) =>
  publish(tx, scope, {
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
    authorizedPhoneNumber: otp.phoneNumber,
    verificationMessage: otp.verificationMessage,
    createTime: otp.createdAt.toISOString(),
    expireTime: otp.expiresAt.toISOString(),
    metadata: otp.metadata,
  }
}
