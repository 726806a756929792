/** Trunk prefixes of the countries where Paystack uses national numbers, by calling code. */
const trunks: Readonly<Record<string, string>> = { '+233': '0', '+254': '0', '+225': '' }

/** Formats a payer's number: as a national number in Ghana, in E.164 format elsewhere. */
export const phoneForCharge = (phone: string) => (phone.startsWith('+233') ? phoneForTransfer(phone) : phone)

/** Formats a payee's number as a national number. */
export function phoneForTransfer(phone: string): string {
  const trunk = trunks[phone.slice(0, 4)]
  return trunk === undefined ? phone : `${trunk}${phone.slice(4)}`
}
