import type { SettlementColumns } from '../../ledger/accounts/settlement.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Resource } from '../../platform/resources.ts'
import type { Seals } from '../../platform/seals.ts'
import type { Catalogue } from '../../rails/connections/catalogue.ts'
import { spaceIds } from '../../tenants/spaces/resources.ts'
import { proofGauges } from './proof-metrics.ts'
import { type BooksSettings, settings } from './settings.ts'
import type { FindChecks } from './verify.ts'

export const slice = {
  folder: 'finance/books',
  tables: [
    'book_links',
    'book_ranges',
    'book_audits',
    'book_seals',
    'book_heads',
    'archived_links',
    'archived_books',
    'proofs',
  ],
  functions: [
    'chain_books',
    'link_hash',
    'lines_digest',
    'events_digest',
    'audits_digest',
    'seals_digest',
    'carried_digest',
    'archived_books_digest',
  ],
  // Each Space has its own books, so an event about the books is an event about the Space.
  resources: [
    {
      type: 'ledger',
      ids: spaceIds,
      readPermission: 'balances:read',
      eventTypes: {
        chained: 'The chain over the books of the Space has grown. Sent once a day with the newest link.',
      },
    },
  ] as const satisfies readonly Resource[],
  settings,
  gauges: proofGauges,
  tags: {
    reports: 'Fees, settlement and balances over time, read from the ledger.',
  },
  routes: async (parts: Platform & { catalogue: Catalogue; settlementColumns: SettlementColumns }) =>
    (await import('./report-routes.ts')).reportRoutes(parts),
  async jobs(
    parts: Platform<BooksSettings & { refundWindowMs: number }> & { findChecks: FindChecks },
    stopping: AbortSignal,
  ) {
    const { proofJobs } = await import('./proofs.ts')
    const { headJobs } = await import('./heads.ts')
    const { archiveJobs } = await import('./archive-jobs.ts')
    return { ...proofJobs(parts, stopping), ...headJobs(parts, stopping), ...archiveJobs(parts, stopping) }
  },
  calendar: {
    '13 2 * * *': 'books.publish-heads',
    '23 2 * * *': 'books.verify',
    '7 4 * * *': 'books.archive',
  },
  async checks(seals?: Seals) {
    const { chainChecks } = await import('./chain-checks.ts')
    const { sealChecks } = await import('./seal-checks.ts')
    const { livenessChecks } = await import('./liveness-checks.ts')
    const { responseChecks } = await import('./response-checks.ts')
    const { archiveChecks } = await import('./archive-checks.ts')
    return [...chainChecks, ...archiveChecks, ...sealChecks, ...livenessChecks, ...responseChecks(seals)]
  },
}
