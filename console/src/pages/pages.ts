import type { ComponentType } from 'preact'
import type { addresses } from './addresses.ts'

export type LoadPage = () => Promise<{ default: ComponentType }>

/** The code of each page comes with its first visit. */
export const loadPage: Record<(typeof addresses)[number]['path'], LoadPage> = {
  '/payments': () => import('./payments/payments.tsx'),
  '/payments/:id': () => import('./payments/payment.tsx'),
}
