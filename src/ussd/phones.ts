import { speaksFrench } from '../countries/countries.ts'
import { countryOfPhone } from '../countries/phones.ts'
import type { PaymentCodeSettings } from '../payment-codes/settings.ts'
import type { Reader, Tx } from '../platform/db/database.ts'
import type { Platform } from '../platform/platform.ts'
import type { Environment } from '../platform/scope.ts'
import { type LockOutRule, lockedForMs, withWrongDial } from './lock-out.ts'
import { findNewestOpen, findNumber } from './otp-store.ts'
import { type Otp, verifyOtp } from './otps.ts'
import { lockPhone, type Phone, updateWrongDials } from './phone-store.ts'
import type { UssdSettings } from './settings.ts'
import type { Language } from './texts.ts'

/** A phone, in the environment that its aggregator serves. */
export type Caller = { environment: Environment; phoneNumber: string }

/** What a phone chose last, else French where people speak that and no English. */
export function languageOf(phone: Phone | undefined, { phoneNumber }: Caller): Language {
  const country = countryOfPhone(phoneNumber)
  return phone?.language ?? (country !== undefined && speaksFrench(country) ? 'fr' : 'en')
}

/** For how long wrong payment codes lock a phone out. They belong to no Space: the machine's clock judges them. */
export const codesLockedForMs = (settings: UssdSettings, phone: Phone | undefined) =>
  lockedForMs(codeRule(settings), phone?.wrongCodes ?? [], new Date())

export async function countWrongCode(
  tx: Tx,
  { settings }: { settings: UssdSettings },
  { environment, phoneNumber }: Caller,
): Promise<void> {
  const phone = await lockPhone(tx, environment, phoneNumber)
  const wrongCodes = withWrongDial(codeRule(settings), phone.wrongCodes, new Date())
  await updateWrongDials(tx, environment, phoneNumber, { ...phone, wrongCodes })
}

export type OtpDial = { is: 'verified'; otp: Otp } | { is: 'wrong' } | { is: 'locked-out'; leftMs: number }

/**
 * A phone dials the digits of an OTP. What is wrong with wrong ones is not told: open for another phone, over, or
 * never there, it is all the same. Dials of one phone are judged one by one, however many come at once.
 */
export async function dialOtp(
  tx: Tx,
  parts: Pick<Platform<UssdSettings & PaymentCodeSettings>, 'settings' | 'clock'>,
  caller: Caller,
  number: string,
): Promise<OtpDial> {
  const { environment, phoneNumber } = caller
  const phone = await lockPhone(tx, environment, phoneNumber)
  const now = await timeOf(tx, parts, caller)
  const rule = otpRule(parts.settings)
  const leftMs = lockedForMs(rule, phone.wrongOtps, now)
  if (leftMs > 0) return { is: 'locked-out', leftMs }
  const place = await findNumber(tx, environment, phoneNumber, number)
  const scope = place && { spaceId: place.spaceId, environment }
  const otp = scope && (await verifyOtp(tx, parts, scope, place.otpId, parts.clock.now(scope)))
  if (otp) return { is: 'verified', otp }
  const wrongOtps = withWrongDial(rule, phone.wrongOtps, now)
  await updateWrongDials(tx, environment, phoneNumber, { ...phone, wrongOtps })
  return { is: 'wrong' }
}

/** By the clock of the Space that asked this phone last; of a phone that nobody asked, by the machine's. */
async function timeOf(
  db: Reader,
  { clock }: Pick<Platform, 'clock'>,
  { environment, phoneNumber }: Caller,
): Promise<Date> {
  const place = await findNewestOpen(db, environment, phoneNumber)
  return place ? clock.now({ spaceId: place.spaceId, environment }) : new Date()
}

const otpRule = (settings: UssdSettings): LockOutRule => ({
  wrongDials: settings.ussdWrongOtps,
  windowMs: settings.ussdWrongDialsWindowMs,
  lockOutMs: settings.ussdLockOutMs,
})
const codeRule = (settings: UssdSettings): LockOutRule => ({
  ...otpRule(settings),
  wrongDials: settings.ussdWrongCodes,
})
