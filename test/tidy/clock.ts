import { findIn, type Source } from './sources.ts'
import { statementsOf } from './statements.ts'

/**
 * Code that correctly uses the machine's clock, with the reason. All other code uses the Space's clock, which a
 * test may move.
 */
const realTime: Record<string, string> = {
  'packages/values/src/stopwatch.ts': 'it measures the machine’s time',
  'packages/embedded-postgres/': 'it waits for a server by the machine’s clock',
  'packages/base-backup/': 'backups are named by the operator’s clock',
  'packages/server/src/platform/': 'requests, limits, jobs and the Space clock itself depend on the machine',
  'packages/server/src/tenants/sign-in/':
    'people sign in by wall-clock time, whatever happens to a test clock',
  'packages/server/src/tenants/team/':
    'members, invitations and tokens belong to people, who live by wall-clock time',
  'packages/server/src/tenants/spaces/':
    'Spaces, users and tokens belong to the operator, whatever happens to a test clock',
  'packages/server/src/ways-to-pay/bill-payments/':
    'a payment to the operator’s number belongs to no Space until its reference is read',
  'packages/connector-kit/src/simulator/clock.ts': 'the rail is a third party',
  'packages/connector-kit/src/conformance/proof-cases.ts': 'a rail signs by its own clock',
  'packages/rails/': 'a rail is an outside party with its own clock',
  'packages/server/src/operations/test-clock/routes.ts': 'a test clock is shown by how far it is ahead',
  'packages/server/src/ledger/accounts/postings.ts':
    'how long a posting has waited is measured by the machine’s clock',
  'packages/server/src/events/webhooks/dispatcher.ts': 'SQL compares due times with each Space’s clock',
  'packages/server/src/events/webhooks/poll-schedule.ts': 'the next poll is scheduled by the machine’s clock',
  'packages/server/src/events/webhooks/worker.ts': 'the next poll is scheduled by the machine’s clock',
  'packages/server/src/events/webhooks/message.ts':
    'receivers compare the signed timestamp with their own clock',
  'packages/server/src/finance/books/archive': 'the operator decides how long months are kept',
  'packages/server/src/cli/operator/archive-actions.ts': 'the operator decides how long months are kept',
  'packages/server/src/tenants/requests/':
    'the request log is about the machine, and the operator decides how long it is kept',
  'packages/server/src/events/partitions.ts': 'the operator decides how long events are kept',
  'packages/server/src/finance/books/proofs.ts': 'the operator’s proofs cover all Spaces together',
  'packages/server/src/platform/db/backups.ts': 'the operator’s backups cover all Spaces together',
  'packages/server/src/operations/data-keys/reencryption.ts':
    'keys belong to the operator, and nodes notice new ones in real time',
  'packages/server/src/operations/installation/health-store.ts': 'jobs are due by the machine’s clock',
  'packages/server/src/cli/operator/reconcile-actions.ts': 'statements are the operator’s concern',
  'packages/server/src/cli/operator/verify-command.ts': 'the operator enters how long ago it was',
  'packages/server/src/ways-to-pay/checkout/page-routes.ts': 'rate limits protect the machine',
  'packages/server/src/money/pending-approvals/':
    'emails are sent to people, who live by wall-clock time, and to a mail server',
  'packages/server/src/money/payments/prompt-store.ts': 'a phone that receives a prompt belongs to no Space',
  'packages/server/src/ways-to-pay/ussd/phones.ts': 'a phone that dials wrong codes belongs to no Space',
  'packages/server/src/ways-to-pay/ussd/step-handler.ts':
    'there is no Space, and so no Space clock, until a code is found',
  'packages/server/src/ways-to-pay/ussd/jobs.ts':
    'how long a network may repeat a step does not depend on a Space',
  'packages/server/src/cli/command.ts': 'people compare how long ago something was with their own clock',
  'packages/server/src/cli/doctor/': 'the doctor checks the machine and its pending work',
  'packages/server/src/cli/developer/forwarding.ts':
    'a receiver compares a signature’s timestamp with its own clock',
}

/** Returns each use of the machine's clock, in code and in SQL, where the Space's clock should be used. */
export function machineClockReads(program: Source[]): string[] {
  const domain = program.filter(
    ({ path }) => !Object.keys(realTime).some((allowed) => path.startsWith(allowed)),
  )
  const inCode = domain.flatMap((source) =>
    findIn(source, /\bDate\.now\(\)|\bnew Date\(\)/g).map(({ at, match }) => `${at} ${match[0]}`),
  )
  const inSql = domain.flatMap((source) =>
    statementsOf(source)
      .filter(({ sql }) =>
        /\b(?:now|clock_timestamp|statement_timestamp)\(\)|\bcurrent_(?:timestamp|date)\b/i.test(sql),
      )
      .map(({ at, sql }) => `${at} ${firstLine(sql)}`),
  )
  return [...inCode, ...inSql]
}

const firstLine = (sql: string) => sql.trim().split('\n', 1)[0]!
