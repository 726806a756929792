import { wholeNumber } from '@pesewa/values'
import * as late from '../../money/refunds/late-payments.ts'
import { refundIds } from '../../money/refunds/resources.ts'
import { showId } from '../../platform/ids.ts'
import { ownUrl } from '../../platform/platform.ts'
import { createSeals } from '../../platform/seals.ts'
import { readSecretKey } from '../../platform/secret-key.ts'
import { openProviders } from '../../rails/providers/providers.ts'
import { readSettings } from '../../slices.ts'
import type { Decider } from '../../tenants/spaces/audit.ts'
import { inTransaction } from './command-database.ts'

/** Records the refund of a late payment. The instruction to the rail is sent by the running service. */
export async function returnLate(id: string, decider: Decider) {
  const settings = readSettings(process.env)
  const seals = createSeals(readSecretKey(settings))
  const providers = openProviders({ settings, seals, baseUrl: settings.baseUrl ?? ownUrl(settings) })
  try {
    return await inTransaction(async (tx) => {
      const parts = { ...providers, seals, settings, queues: { admit: waiting } }
      const refund = await late.refundLatePayment(tx, parts, { id, userId: null }, decider)
      const { amount, currency, status } = refund
      return { id: showId(refundIds, refund.id), status, amount: { currency, value: wholeNumber(amount) } }
    })
  } finally {
    await providers.connectors.close()
  }
}

const waiting = <T>(_tx: unknown, instruction: T): T => instruction
