import { planForPayee } from './behaviour.ts'
import type { AskedDisbursement } from './disbursement-store.ts'
import type { RailParts } from './parts.ts'

/**
 * What became of asking. `again`: the reference was used before, and nothing was done. `drop`: it was taken, but the
 * answer is lost. `fail`: it was not taken, and the answer is a 500.
 */
export type Taken = 'accept' | 'again' | 'drop' | 'fail'

/** Takes money to pay out. No prompt and no handset has a say in it: the last digits of the payee's account decide. */
export async function takeDisbursement(
  { take, clock, delays, wakeAt }: RailParts,
  asked: AskedDisbursement,
): Promise<Taken> {
  const { submit, outcomes } = planForPayee(asked.payee, delays)
  if (submit === 'fail') return submit
  const at = clock.now()
  const added = await take('disbursement', { asked, at, outcomes })
  if (!added) return 'again'
  for (const { afterMs } of outcomes) wakeAt(new Date(at.getTime() + afterMs))
  return submit
}
