/** The form's field for the account of each kind of provider; a card has none: its number is typed elsewhere. */
export const accountFields = { momo: 'phone', bank: 'accountNumber', wallet: 'walletId' } as const

export type AccountField = (typeof accountFields)[keyof typeof accountFields]
