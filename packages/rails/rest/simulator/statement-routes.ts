import {
  RailError,
  type RailRoute,
  type SimulatorParts,
  showRailError,
} from '@pesewa/connector-kit/simulator'
import { fieldsOf } from '@pesewa/values'
import { enter } from './access.ts'

/**
 * Routes for statements from the simulated rails, for callers with their key. A date without a time means
 * midnight UTC.
 */
export const statementRoutes = (parts: SimulatorParts): RailRoute[] => [
  {
    kind: 'raw',
    method: 'GET',
    url: '/simulator/statements/:providerId',
    summary: 'Statement of a simulated provider, as CSV',
    showError: showRailError(parts.log),
    handle: async (request, reply) => {
      const { providerId } = enter(parts, request, () => true)
      const { from, to } = fieldsOf(request.query)
      const statement = await parts.store.statementOf(providerId, {
        from: momentOf(from),
        to: momentOf(to),
      })
      return reply.type('text/csv; charset=utf-8').send(statement)
    },
  },
]

function momentOf(text: unknown): Date {
  const isMoment = typeof text === 'string' && /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d{1,3})?Z)?$/.test(text)
  const moment = new Date(isMoment ? text : Number.NaN)
  // Otherwise, a day that does not exist would become a day in the next month.
  if (Number.isNaN(moment.getTime()) || !moment.toISOString().startsWith(String(text).slice(0, 10)))
    throw new RailError(400, 'request_invalid')
  return moment
}
