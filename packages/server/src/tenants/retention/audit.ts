import type { Tx } from '../../platform/db/database.ts'
import type { Call } from '../../platform/http/commands/route.ts'
import type { Scope } from '../../platform/scope.ts'
import { writeAuditEntry } from '../spaces/audit.ts'
import { deciderOf } from '../spaces/deciders.ts'

/** Records who decided something about a person. The entry names the person only by a mask and a keyed hash. */
export async function auditPerson(
  tx: Tx,
  { scope, ...call }: { scope: Scope } & Pick<Call, 'userId' | 'operator'>,
  objectType: string,
  verb: string,
  { id, personMask, personHash }: { id: string; personMask: string | null; personHash: string | null },
  reason: string,
  details: object = {},
): Promise<void> {
  await writeAuditEntry(tx, scope, await deciderOf(tx, call, reason), {
    action: `${objectType}.${verb}`,
    objectType,
    objectId: id,
    details: { person: personMask, personHash, ...details },
  })
}
