import type { Gate } from '../../platform/http/admission/gate.ts'
import { outsideSpaces } from '../../platform/jobs/queue.ts'
import { Refusal } from '../../platform/refusals.ts'
import { isInstallationPermission } from './permissions.ts'

/**
 * Admits the calls that an operator's command makes in its own process. There is nothing to present, so the gate
 * must never be given to a server that listens: whoever can run the command can also read the database.
 *
 * @param operator name of the person who runs the command, for audit entries
 */
export const createCommandGate = (operator: string): Gate => ({
  authenticate: async () => ({ tokenId: '', userId: '', environment: outsideSpaces.environment, operator }),
  enter: () => Promise.reject(new Refusal('access_denied')),
  isFresh: async () => true,
  enterInstallation: async () => ({
    scope: outsideSpaces,
    may: isInstallationPermission,
    seesPersonalData: true,
  }),
})
