/** Operations that a Space can be charged for. */
export const feeCodes = ['payment', 'payout', 'refund'] as const
export type FeeCode = (typeof feeCodes)[number]
export const isFeeCode = (code: string): code is FeeCode => feeCodes.some((one) => one === code)
