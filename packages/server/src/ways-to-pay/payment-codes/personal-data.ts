import { showId } from '../../platform/ids.ts'
import { erased, erasedMask, personOf } from '../../tenants/retention/person.ts'
import { inRecordPage, type PersonalRecords } from '../../tenants/retention/records.ts'
import { isOpen, presentCode } from './payment-codes.ts'
import { codeIds } from './resources.ts'
import type { PaymentCodeSettings } from './settings.ts'
import { eraseCustomers, isOfPhone, type PaidCode, selectPaidCodes } from './store.ts'

/** The customers of payment codes: those whom the merchant has named, and those who paid. */
export const customerRecords = (settings: PaymentCodeSettings): PersonalRecords => ({
  type: 'payment_code',
  retention: 'contact_details',
  async select(db, scope, which, page) {
    const ofCustomer = inRecordPage(which, page, (person) => isOfPhone(scope, person.phoneNumber))
    const rows = await selectPaidCodes(db, scope, ofCustomer)
    return rows.map((row) => {
      const { ownershipGraph: _, ...data } = presentCode(settings, scope, row)
      return {
        key: row.id,
        id: showId(codeIds, row.id),
        at: row.createdAt,
        person: personOf('momo', '', row.authorizedPhoneNumber ?? row.payerAccount),
        isErased: isErased(row),
        obligation: isOpen(row) ? { reason: 'in_progress', until: null } : null,
        data,
      }
    })
  },
  erase: eraseCustomers,
})

const isErased = ({ customerName, authorizedPhoneNumber, processed }: PaidCode) =>
  !customerName &&
  (authorizedPhoneNumber ?? erased) === erased &&
  (processed?.channelData.accountId ?? erasedMask) === erasedMask
