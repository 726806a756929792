import type { Platform } from '../platform/platform.ts'
import { readAndWrite } from '../spaces/permissions.ts'
import type { CodeParts } from './payment-codes.ts'
import { resources } from './resources.ts'
import { type PaymentCodeSettings, settings } from './settings.ts'

export const slice = {
  name: 'payment-codes',
  settings,
  resources,
  permissions: readAndWrite('payment-codes', 'money'),
  routes: async (parts: Platform<PaymentCodeSettings> & CodeParts) =>
    (await import('./routes.ts')).paymentCodeRoutes(parts),
  jobs: async (parts: Platform<PaymentCodeSettings> & CodeParts) =>
    (await import('./jobs.ts')).paymentCodeJobs(parts),
  checks: async () => (await import('./checks.ts')).paymentCodeChecks,
}
