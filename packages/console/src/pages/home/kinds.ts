import type { api, ResultOf } from '../../api/client.ts'

/** A day's totals in one currency. */
export type Day = ResultOf<typeof api.overview.days>['days'][number]

/** The totals of a day, each with the page that lists its payments, payouts or refunds. */
export const kinds = [
  { kind: 'collected', page: '/payments' },
  { kind: 'paidOut', page: '/payouts' },
  { kind: 'refunded', page: '/refunds' },
] as const

/** Converts an amount for a chart, in which the loss of precision is not visible. */
export const lengthOf = (day: Day, kind: (typeof kinds)[number]['kind']) => Number(day[kind].amount.value)

export const isBusy = (day: Day) => kinds.some(({ kind }) => day[kind].count > 0)
