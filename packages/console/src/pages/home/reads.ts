import { api } from '../../api/client.ts'
import { useRead } from '../../api/queries.ts'
import { usePermissions } from '../../api/scope.tsx'

/** Days that are always read. The first load of Home on a slow network has no room for more. */
export const usualDays = 30
/** Days in a tile's line, including today. */
export const tileDays = 7
/** Figures are also polled, because time alone changes them: at midnight and when an outcome is overdue. */
const everyMs = 60_000

/** Reads success rates of the last 24 hours, and counts objects whose outcome is overdue. */
export function useOverview() {
  const enabled = usePermissions()('balances:read')
  return { ...useRead(api.overview.retrieve, [], { enabled, everyMs }), enabled }
}

/** Reads daily totals, latest first, including days without activity. */
export const useDays = (days: number, enabled = true) =>
  useRead(api.overview.days, [{ days, withEmptyDays: true }], { enabled, everyMs })

/** Reads the number of completed and failed payments of each day, latest first. */
export const useOutcomes = () => useRead(api.overview.outcomes, [{ days: tileDays }], { everyMs })
