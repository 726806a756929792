import { findIn, type Source } from './sources.ts'
import { statementsOf } from './statements.ts'

/** Where the machine's clock is right. Everything else goes by the Space's clock, which a test may move. */
const realTime: Record<string, string> = {
  'src/platform/': 'the machine: requests, limits, jobs, and the Space clock itself',
  'src/sign-in/': 'people sign in by real time, which outlives any move of a test clock',
  'src/team/': 'members, invitations and tokens are people’s, who live in real time',
  'src/spaces/': 'Spaces, users and tokens are the operator’s and outlive any move of a test clock',
  'src/bill-payments/':
    'what is paid to the operator’s number belongs to no Space until its reference is read',
  'src/simulator/engine/clock.ts': 'the rail is an outside party',
  'src/providers/protocols/pawapay/message-signatures.ts': 'a rail signs by its own clock',
  'src/providers/protocols/rest/report.ts': 'a rail signs by its own clock',
  'src/providers/conformance/proof-cases.ts': 'a rail signs by its own clock',
  'src/providers/protocols/airtel-money/keys.ts': 'a rail’s key ends by its own clock',
  'src/providers/protocols/mpesa-daraja/documents.ts': 'a request to M-Pesa carries the real time',
  'src/providers/protocols/mpesa-daraja/bills.ts': 'M-Pesa lists what was paid by its own clock',
  'src/providers/protocols/gsma/gateway.ts': 'a request to a wallet carries the real time',
  'src/providers/protocols/paystack/charges.ts': 'a page is as old as its rail says',
  'src/test-clock/routes.ts': 'a test clock is told as what it is ahead of',
  'src/ledger/postings.ts': 'how long a posting has waited is the machine’s affair',
  'src/events/webhooks/dispatcher.ts': 'what is due is judged by each Space’s clock, in SQL',
  'src/events/webhooks/poll-schedule.ts': 'when this machine polls again',
  'src/events/webhooks/worker.ts': 'when this machine is to look again',
  'src/events/webhooks/message.ts': 'receivers compare the signed time with theirs',
  'src/requests/': 'the request log is about the machine, and how long it is kept the operator’s affair',
  'src/events/partitions.ts': 'how long events are kept is the operator’s affair',
  'src/books/proofs.ts': 'proofs are the operator’s, over all Spaces at once',
  'src/platform/backup/backups.ts': 'backups are the operator’s, over all Spaces at once',
  'src/installation/health-store.ts': 'what is due in the queue is the machine’s affair',
  'src/cli/operator/reconcile-actions.ts': 'statements are the operator’s, and so is how old an open item is',
  'src/cli/operator/verify-command.ts': 'the operator says how long ago',
  'src/checkout/page-routes.ts': 'limits on requests protect the machine',
  'src/payments/prompt-store.ts': 'a phone that is asked belongs to no Space',
  'src/ussd/phones.ts': 'wrong dials of a phone that no Space asked for anything are the machine’s affair',
  'src/ussd/step-handler.ts': 'until a code is found there is no Space whose clock it could be',
  'src/ussd/jobs.ts': 'how long a network may repeat a step is no Space’s affair',
  'src/cli/command.ts': 'people read how long ago something was by their own clock',
  'src/cli/doctor/': 'the doctor looks at the machine, and at what waits on it',
  'src/cli/operator/token-actions.ts': 'tokens are people’s, who live in real time',
  'src/cli/developer/forwarding.ts': 'a receiver holds the time of a signature against its own clock',
}

/** Every look at the machine's clock where the Space's should be asked, in code and in SQL. */
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
