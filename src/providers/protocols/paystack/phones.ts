/** Countries where Paystack writes numbers as people there dial them, by their calling codes. */
const trunks: Readonly<Record<string, string>> = { '+233': '0', '+254': '0', '+225': '' }

/** Of a payer: in Ghana as it is dialled there, elsewhere E.164. */
export const phoneForCharge = (phone: string) => (phone.startsWith('+233') ? phoneForTransfer(phone) : phone)

/** Of a payee, as it is dialled in their country. */
export function phoneForTransfer(phone: string): string {
  const trunk = trunks[phone.slice(0, 4)]
  return trunk === undefined ? phone : `${trunk}${phone.slice(4)}`
}
