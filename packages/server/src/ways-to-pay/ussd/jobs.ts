import { scopeOf } from '../../platform/jobs/queue.ts'
import type { Jobs } from '../../platform/jobs/runner.ts'
import type { Platform } from '../../platform/platform.ts'
import type { PaymentCodeSettings } from '../payment-codes/settings.ts'
import { expireOtp } from './otps.ts'
import { deleteSessions } from './session-store.ts'

/** On a network, a session lasts only minutes. After a day, none of its steps can be delivered again. */
const sessionsKeptMs = 86_400_000

export function ussdJobs({ db, clock, settings }: Platform<PaymentCodeSettings>): Jobs {
  return {
    'ussd-otp.expire': (payload) => {
      const scope = scopeOf(payload)
      return db.transaction((tx) => expireOtp(tx, settings, scope, String(payload.otpId), clock.now(scope)))
    },
    'ussd-sessions.forget': async () => {
      const before = new Date(Date.now() - sessionsKeptMs)
      while ((await db.transaction((tx) => deleteSessions(tx, before))) > 0);
    },
  }
}
