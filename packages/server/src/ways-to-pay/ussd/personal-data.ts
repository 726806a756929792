import { showId } from '../../platform/ids.ts'
import { erased, personOf } from '../../tenants/retention/person.ts'
import { inRecordPage, type PersonalRecords } from '../../tenants/retention/records.ts'
import type { PaymentCodeSettings } from '../payment-codes/settings.ts'
import { erasePhones, isOtpOf, selectOtpRows } from './otp-store.ts'
import { presentOtp } from './otps.ts'
import { deletePhone, selectPhoneOf } from './phone-store.ts'
import { otpIds } from './resources.ts'

/** The phones for which a Space has created OTPs. */
export const otpRecords = (settings: PaymentCodeSettings): PersonalRecords => ({
  type: 'ussd_otp',
  retention: 'one_time_codes',
  async select(db, scope, which, page) {
    const ofPhone = inRecordPage(which, page, ({ phoneNumber }) => isOtpOf(scope, phoneNumber))
    const rows = await selectOtpRows(db, scope, ofPhone)
    return rows.map((row) => ({
      key: row.id,
      id: showId(otpIds, row.id),
      at: row.createdAt,
      person: personOf('momo', '', row.phoneNumber),
      isErased: row.phoneNumber === erased,
      obligation: row.status === 'pending' ? { reason: 'in_progress', until: null } : null,
      data: presentOtp(settings, row),
    }))
  },
  erase: erasePhones,
})

/**
 * The language and the wrong dials of a phone. They belong to no Space, so a Space sees and erases them only if
 * it has created an OTP for the phone, and before that OTP is erased. The daily job does not erase them.
 */
export const phoneRecords: PersonalRecords = {
  type: 'phone',
  retention: 'contact_details',
  async select(db, scope, which, { after }) {
    const phoneNumber = 'person' in which ? which.person.phoneNumber : undefined
    if (phoneNumber === undefined || after !== undefined) return []
    const phone = await selectPhoneOf(db, scope, phoneNumber)
    if (!phone) return []
    const { language, wrongOtps, wrongCodes } = phone
    return [
      {
        key: phoneNumber,
        id: phoneNumber,
        at: null,
        person: { phoneNumber },
        isErased: false,
        obligation: null,
        data: { language, wrongDialTimes: [...wrongOtps, ...wrongCodes].map((at) => at.toISOString()) },
      },
    ]
  },
  async erase(tx, { environment }, phoneNumbers) {
    for (const phoneNumber of phoneNumbers) await deletePhone(tx, { environment, phoneNumber })
  },
}
