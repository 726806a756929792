import type { api, ResultOf } from '../../api/client.ts'

export type Payment = ResultOf<typeof api.payments.retrieve>

type Origin = { type: 'checkout_session' | 'payment_code'; id: string }

/** Returns the checkout session or payment code through which the payment was made. */
export function originOf({ ownershipGraph: { owner } }: Pick<Payment, 'ownershipGraph'>): Origin | undefined {
  const { type, id } = owner as Record<string, unknown>
  if (typeof id !== 'string') return undefined
  return type === 'checkout_session' || type === 'payment_code' ? { type, id } : undefined
}

const folders = { checkout_session: '/checkout-sessions', payment_code: '/payment-codes' } as const

export const pathOfOrigin = ({ type, id }: Origin) => `${folders[type]}/${id}`
