/** Trunk prefixes, by calling code, for countries where Paystack uses national numbers. */
const trunks: Readonly<Record<string, string>> = { '+233': '0', '+254': '0', '+225': '' }

/** Formats a payer's number: national in Ghana, elsewhere E.164. */
export const phoneForCharge = (phone: string) => (phone.startsWith('+233') ? phoneForTransfer(phone) : phone)

/** Formats a payee's number as a national number. */
export function phoneForTransfer(phone: string): string {
  const trunk = trunks[phone.slice(0, 4)]
  return trunk === undefined ? phone : `${trunk}${phone.slice(4)}`
}
