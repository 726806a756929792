import { type Connector, isUnauthorized } from '@pesewa/connector-kit'
import type { SecretFiles } from './connections.ts'

const checkEveryMs = 1_000 // maximum time until a node uses a credential after its file has changed

/**
 * Provides the connector for a connection whose credentials are stored in files. The connector is replaced soon
 * after a file changes.
 */
export type Rotation = { current(): Connector; close(): Promise<void> }

/**
 * Opens a connector with the current credentials, and opens another whenever a file changes.
 *
 * @param build creates a connector with one set of credentials
 */
export function openRotation(
  files: SecretFiles,
  build: (connection: ReturnType<SecretFiles['read']>['first']) => Connector,
  nowMs = () => performance.now(),
): Rotation {
  const opened = new Set<Connector>()
  const open = () => {
    const { first, second } = files.read()
    const built = withFallback(build(first), second && build(second))
    opened.add(built)
    return built
  }
  let version = files.version()
  let current = open()
  let checkedAt = nowMs()

  function renew(): void {
    const found = files.version()
    if (found === version) return
    const former = current
    current = open()
    version = found
    // Calls that are in flight on the old connector finish within this time.
    setTimeout(() => {
      opened.delete(former)
      former.close().catch(() => {})
    }, former.longestCallMs).unref()
  }
  return {
    current() {
      if (nowMs() - checkedAt < checkEveryMs) return current
      checkedAt = nowMs()
      try {
        renew()
      } catch {
        // If a file is incomplete or missing, the previous credentials are kept, and `pesewa connections list`
        // shows the problem.
      }
      return current
    },
    close: async () => void (await Promise.all([...opened].map((connector) => connector.close()))),
  }
}

/**
 * Returns a connector that calls the rail with the first credential. If the rail rejects that credential, and
 * therefore does nothing, the call is made again with the second.
 */
function withFallback(first: Connector, second = first): Connector {
  const { collect, queryCollection, disburse, queryDisbursement, refund, queryRefund } = first
  const { verifyAccount, balances, readReport, submitCode } = first
  return {
    ...first,
    longestCallMs: 2 * first.longestCallMs,
    preparationMs: first.longestCallMs + (first.preparationMs ?? 0),
    collect: either(collect, second.collect),
    queryCollection: either(queryCollection, second.queryCollection),
    ...(disburse && { disburse: either(disburse, second.disburse) }),
    ...(queryDisbursement && { queryDisbursement: either(queryDisbursement, second.queryDisbursement) }),
    ...(refund && { refund: either(refund, second.refund) }),
    ...(queryRefund && { queryRefund: either(queryRefund, second.queryRefund) }),
    ...(verifyAccount && { verifyAccount: either(verifyAccount, second.verifyAccount) }),
    ...(submitCode && { submitCode: either(submitCode, second.submitCode) }),
    ...(balances && { balances: either(balances, second.balances) }),
    ...(readReport && {
      readReport: (received) => {
        const report = readReport(received)
        const other = report.isAuthentic ? undefined : second.readReport?.(received)
        return other?.isAuthentic ? other : report
      },
    }),
    close: async () => void (await Promise.all([first.close(), second === first || second.close()])),
  }
}

const either =
  <Args extends unknown[], Result>(
    first: (...args: Args) => Promise<Result>,
    second: ((...args: Args) => Promise<Result>) | undefined,
  ) =>
  async (...args: Args): Promise<Result> => {
    const result = await first(...args)
    return second && second !== first && isUnauthorized(result) ? second(...args) : result
  }
