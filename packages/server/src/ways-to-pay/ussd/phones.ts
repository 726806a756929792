import { speaksFrench } from '@pesewa/values'
import { countryOfPhone } from '@pesewa/values/phones'
import type { Tx } from '../../platform/db/database.ts'
import { type LockOutRule, lockedForMs, withWrongDial } from './lock-out.ts'
import { findNewestOpen, findNumber, type Otp } from './otp-store.ts'
import { verifyOtp } from './otps.ts'
import { lockPhone, type Phone, type PhoneKey, updateWrongDials } from './phone-store.ts'
import type { UssdSettings } from './settings.ts'
import type { UssdParts } from './step.ts'
import type { MenuLanguage } from './texts.ts'

/**
 * Returns the language that was last chosen on the phone. If none has been chosen, returns French in countries
 * in which French but not English is spoken, and otherwise English.
 */
export function languageOf(phone: Phone | undefined, phoneNumber: string): MenuLanguage {
  const country = countryOfPhone(phoneNumber)
  return phone?.language ?? (country !== undefined && speaksFrench(country) ? 'fr' : 'en')
}

/**
 * Returns how long a phone remains locked out because of wrong payment codes, in milliseconds. Wrong codes
 * belong to no Space, so the system clock is used.
 */
export const codesLockedForMs = (settings: UssdSettings, phone: Phone | undefined) =>
  lockedForMs(lockOutRule(settings, settings.ussdWrongCodes), phone?.wrongCodes ?? [], new Date())

export async function countWrongCode(tx: Tx, settings: UssdSettings, key: PhoneKey): Promise<void> {
  const phone = await lockPhone(tx, key)
  const wrongCodes = withWrongDial(
    lockOutRule(settings, settings.ussdWrongCodes),
    phone.wrongCodes,
    new Date(),
  )
  await updateWrongDials(tx, key, { ...phone, wrongCodes })
}

type OtpDial = { is: 'verified'; otp: Otp } | { is: 'wrong' } | { is: 'locked-out'; leftMs: number }

/**
 * Handles a dialled OTP. The result does not reveal why the digits are wrong; they may belong to another phone,
 * have expired, or never have been issued. Codes that one phone dials concurrently are checked one at a time.
 */
export async function dialOtp(tx: Tx, parts: UssdParts, key: PhoneKey, number: string): Promise<OtpDial> {
  const phone = await lockPhone(tx, key)
  // This is the clock of the Space that issued the phone's newest active OTP, or the system clock if there is
  // none.
  const newest = await findNewestOpen(tx, key)
  const now = newest ? parts.clock.now(newest) : new Date()
  const rule = lockOutRule(parts.settings, parts.settings.ussdWrongOtps)
  const leftMs = lockedForMs(rule, phone.wrongOtps, now)
  if (leftMs > 0) return { is: 'locked-out', leftMs }
  const open = await findNumber(tx, key, number)
  const otp = open && (await verifyOtp(tx, parts.settings, open, open.otpId, parts.clock.now(open)))
  if (otp) return { is: 'verified', otp }
  const wrongOtps = withWrongDial(rule, phone.wrongOtps, now)
  await updateWrongDials(tx, key, { ...phone, wrongOtps })
  return { is: 'wrong' }
}

const lockOutRule = (settings: UssdSettings, wrongDials: number): LockOutRule => ({
  wrongDials,
  windowMs: settings.ussdWrongDialsWindowMs,
  lockOutMs: settings.ussdLockOutMs,
})
