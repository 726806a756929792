import type { ComponentChildren } from 'preact'
import type { api, ResultOf } from '../../api/client.ts'

export type MonthEnd = ResultOf<typeof api.monthEnd.retrieve>
export type MonthDay = MonthEnd['days'][number]
export type Difference = MonthEnd['differences'][number]
export type StepName = 'statements' | 'differences' | 'bank' | 'file' | 'sign'

export type MonthProps = {
  /** Returns the path of the page where a day is reconciled. */
  dayPath(day: MonthDay): string
  differencePath(difference: Difference): string
  /** The button or link of a step. */
  actions: Partial<Record<StepName, ComponentChildren>>
  /** Says who does a step that the user cannot do, or what it includes. */
  hints: Partial<Record<StepName, string>>
}
