import type { Reader } from '../../platform/db/database.ts'
import { command, type Route, read } from '../../platform/http/commands/route.ts'
import { argumentRefusal } from '../../platform/refusals.ts'
import { isEnvironment } from '../../platform/scope.ts'
import type { Extent } from './clearing-store.ts'
import { type MatchProgress, matchNext } from './matching.ts'
import { type OperatorRouteParts, providerOf, providerRule } from './operator-routes.ts'
import { presentReport } from './presented-report.ts'
import { reportOn } from './report.ts'
import { matching, matchingBody, report, reportQuery, standardItems } from './report-shapes.ts'
import { checkProvider } from './statement-routes.ts'
import { selectMovedAt } from './statement-store.ts'

const url = '/v1/installation/reconciliation'

/** Routes to match statements with the books, and to report what is open. */
export const reportRoutes = (parts: OperatorRouteParts): Route[] => [
  read({
    url,
    permission: 'installation:read',
    summary: 'Retrieve the reconciliation report',
    about: 'Shows what is matched and what is open, as of the last matching.',
    query: reportQuery,
    result: report,
    read: async ({ query: { maxItems = standardItems, ...extent }, now }) => {
      if (extent.providerId !== undefined) providerOf(parts, extent.providerId)
      return presentReport(await reportOn(parts.db, await parts.findReconciled(), extent, now, maxItems))
    },
  }),
  command({
    url: `${url}/match`,
    permission: 'installation:write',
    summary: 'Match statements with the books',
    about: 'Each call does one step. Call again until it is done.',
    reasons: ['state_conflict'],
    result: matching,
    body: matchingBody,
    example: { environment: 'test', providerId: 'm17' },
    rules: [providerRule, { about: ['after'], says: '`after` must be a value from a previous response.' }],
    validate: (_db, { body: { providerId } }, issues) => checkProvider(parts.catalogue, providerId, issues),
    write: async (tx, { body: { after, ...extent } }) => {
      if (extent.providerId !== undefined) providerOf(parts, extent.providerId)
      const objects = await parts.findReconciled()
      const step = await matchNext(
        tx,
        objects,
        extent,
        after ? await readProgress(tx, extent, after) : undefined,
      )
      return { isDone: step.isDone, after: step.progress ? showProgress(step.progress) : null }
    },
  }),
]

/** Formats progress: `m17/test` before the first line of an account, then `m17/test/4242` with the line’s number. */
const showProgress = ({ providerId, environment, last }: MatchProgress) =>
  [providerId, environment, ...(last ? [last.id] : [])].join('/')

async function readProgress(db: Reader, extent: Extent, text: string): Promise<MatchProgress> {
  const [, providerId, environment, id] = /^([^/]+)\/(\w+)(?:\/(.+))?$/s.exec(text) ?? []
  if (!providerId || !isEnvironment(environment)) throw noProgress()
  if ((extent.providerId ?? providerId) !== providerId) throw noProgress()
  if ((extent.environment ?? environment) !== environment) throw noProgress()
  const source = { providerId, environment }
  if (id === undefined) return source
  const line = await selectMovedAt(db, source, id)
  if (!line) throw noProgress()
  return { ...source, last: { ...line, id } }
}

const noProgress = () => argumentRefusal('after', 'was not returned by a previous call')
