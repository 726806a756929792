/** Returns an id that Safaricom assigns. In the simulator, such ids encode the simulator's own reference. */
export const checkoutIdOf = (reference: string) => `ws_CO_${digitsOf(reference)}`
export const conversationIdOf = (reference: string) => `AG_${digitsOf(reference)}`
/** Returns the id of a reversal, which the caller cannot choose. */
export const originatorIdOf = (reference: string) => `2654-${digitsOf(reference)}-1`

/** Returns the simulator's reference for an id, or `undefined` if the simulator never assigned that id. */
export function referenceOf(id: unknown): string | undefined {
  const [, digits] = /^(?:ws_CO_|2654-)([0-9]{1,39})(?:-1)?$/.exec(String(id)) ?? []
  const hex = digits === undefined ? '' : BigInt(digits).toString(16).padStart(32, '0')
  return hex.length === 32 ? hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') : undefined
}

const digitsOf = (reference: string) => String(BigInt(`0x${reference.replaceAll('-', '')}`))

/** Returns the receipt number of a payment, as payers see it, such as `SIM0000001234`. */
export const receiptOf = (transaction: bigint | null) => `SIM${String(transaction ?? 0n).padStart(10, '0')}`

export function transactionOfReceipt(receipt: unknown): bigint | undefined {
  const [, digits] = /^SIM([0-9]{10,18})$/.exec(String(receipt)) ?? []
  return digits === undefined ? undefined : BigInt(digits)
}
