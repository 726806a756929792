import type { Permission } from '../../tenants/spaces/permissions.ts'
import type { ErasureParts } from './erasing.ts'
import type { ExportParts } from './exporting.ts'
import { resources } from './resources.ts'
import type { PersonalDataRouteParts } from './routes.ts'

const permissions: Permission[] = ['personal-data', 'legal-holds'].flatMap((resource) => [
  { name: `${resource}:read`, roles: ['owner', 'admin'] },
  { name: `${resource}:write`, roles: ['owner', 'admin'] },
])

export const slice = {
  folder: 'operations/personal-data',
  tables: ['personal_data_exports', 'personal_data_erasures', 'retention_progress', 'retention_exceptions'],
  resources,
  permissions,
  tags: {
    'personal-data-exports': 'Everything that a Space stores about one payer or payee, as a document.',
    'personal-data-erasures': 'Erasures of the personal data of one payer or payee.',
    'legal-holds': 'Holds on personal data. While a hold is open, nothing that it covers is erased.',
    'retention-periods': 'How long personal data is kept.',
  },
  routes: async (parts: PersonalDataRouteParts) => (await import('./routes.ts')).personalDataRoutes(parts),
  jobs: async (parts: ErasureParts & ExportParts, stopping: AbortSignal) =>
    (await import('./jobs.ts')).personalDataJobs(parts, stopping),
  calendar: { '17 2 * * *': 'personal-data.retain' },
}
