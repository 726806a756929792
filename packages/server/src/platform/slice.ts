import { settings } from './config.ts'
import { requestIds } from './ids.ts'
import type { Gauge } from './metrics.ts'
import type { Platform } from './platform.ts'

const gauges: Gauge[] = [
  {
    name: 'pesewa_job_oldest_seconds',
    help: 'Time that the oldest due background job has been waiting to be claimed.',
    read: async (db) => (await (await import('./jobs/queue.ts')).selectOldestJob(db))?.waitingSeconds ?? 0,
  },
  {
    name: 'pesewa_backup_timestamp_seconds',
    help: 'Time at which the last run of `pesewa backup` finished.',
    async read(db) {
      const backup = await (await import('./db/backups.ts')).lastBackup(db)
      return backup && backup.finishedAt.getTime() / 1000
    },
  },
]

export const slice = {
  folder: 'platform',
  tags: {
    status: 'Current caller, its address, and the API version in use.',
  },
  tables: [
    'schema_migrations',
    'nodes',
    'jobs',
    'idempotency_keys',
    'test_clocks',
    'backups',
    'rate_limits',
    'encryption',
    'wrapping_keys',
    'data_keys',
  ],
  functions: ['id_moment', 'id_moment_start', 'id_moment_end', 'refuse_change', 'digest_of'],
  settings,
  resources: [{ type: 'request', ids: requestIds }],
  gauges,
  async jobs({ db, settings, log }: Platform) {
    const { createMailer, mailJobs } = await import('./mail.ts')
    const { deleteOldKeys } = await import('./http/commands/idempotency.ts')
    const { deleteUnusedLimits } = await import('./limits/lease-store.ts')
    return {
      ...mailJobs(createMailer(settings, log)),
      'idempotency-keys.forget': () => deleteOldKeys(db, settings.idempotencyRetentionMs),
      'rate-limits.forget': () => deleteUnusedLimits(db),
    }
  },
  calendar: { '17 * * * *': 'idempotency-keys.forget', '43 * * * *': 'rate-limits.forget' },
}
