import type { Database } from '../../platform/db/database.ts'
import { type Route, read } from '../../platform/http/commands/route.ts'
import type { Catalogue } from '../../rails/connections/catalogue.ts'
import { readInstallationMonth } from './installation-month.ts'
import { installationMonthQuery, monthEnd } from './shapes.ts'

/** The route that shows operators the open steps, in all Spaces, before a month can be closed. */
export const installationMonthEndRoutes = (parts: { db: Database; catalogue: Catalogue }): Route[] => [
  read({
    url: '/v1/installation/month-end',
    permission: 'installation:read',
    summary: 'Retrieve the state of a month in the installation',
    about: 'Covers all Spaces. Differences are as of the last matching.',
    query: installationMonthQuery,
    result: monthEnd,
    read: ({ query, now }) => readInstallationMonth(parts, query, now),
  }),
]
