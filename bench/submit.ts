import { randomInt, randomUUID } from 'node:crypto'
import { transferRoutes } from '../packages/server/src/ledger/transfers/routes.ts'
import { createCommand } from '../packages/server/src/platform/http/commands/command.ts'
import { fingerprintOf } from '../packages/server/src/platform/http/commands/idempotency.ts'
import type { Call } from '../packages/server/src/platform/http/commands/route.ts'
import type { Scope } from '../packages/server/src/platform/scope.ts'
import type { Parts } from '../packages/server/src/slices.ts'
import {
  chooseAccounts,
  completedTransfer,
  shownAccountIds,
  type Target,
  transferPath,
  wantedTransfer,
} from './transfer.ts'

/** Makes transfers as the API does after validating a request, without HTTP. */
export function createSubmit(parts: Parts, scopes: Scope[], target: Target, accounts: number) {
  const route = transferRoutes(parts).find((each) => each.kind === 'command')!
  const run = createCommand(parts, route)
  const ids = shownAccountIds(accounts)
  return async () => {
    const scope = scopes[randomInt(scopes.length)]!
    const [source, destination] = chooseAccounts(target, accounts)
    const body = wantedTransfer(ids[source]!, ids[destination]!)
    const fingerprint = fingerprintOf('POST', transferPath, body)
    const call = { scope, body, now: parts.clock.now(scope) } as Call
    const { text } = await run({ key: randomUUID(), fingerprint, call })
    if (!text.includes(completedTransfer)) throw new Error(`returned ${text.slice(0, 300)}`)
  }
}
