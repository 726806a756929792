import { ApiError } from '../../../sdk/src/internal.ts'

export { ApiError, ConnectionError } from '../../../sdk/src/internal.ts'

/** No passkey was used. Browsers do not report whether the user cancelled or there was no passkey. */
export class PasskeyUnusedError extends Error {}

type Issue = ApiError['details'][number]

/** Paths of the fields that display their own error, by error. */
const shownParams = new WeakMap<Error, Set<string>>()

/** Returns the error for the field with this path, if there is one, and records that the field displays it. */
export function issueAt(error: Error | null | undefined, param: string): string | undefined {
  const issues = issuesOf(error)
  const issue =
    issues.find((each) => each.param === param) ?? issues.find((each) => isNestedIn(each.param, param))
  if (!error || !issue) return undefined
  shownParams.set(error, new Set(shownParams.get(error)).add(issue.param))
  return issue.errors[0]
}

/** Returns the errors that are not displayed next to a field. */
export const unshownIssues = (error: Error): readonly Issue[] =>
  issuesOf(error).filter(({ param }) => !shownParams.get(error)?.has(param))

/** Returns whether every error is displayed next to a field. */
export const isFullyShown = (error: Error): boolean =>
  shownParams.has(error) && unshownIssues(error).length === 0

/** Returns the HTTP status with which the API refused the call, if it did. */
export const statusOf = (error: Error | null): number | undefined =>
  error instanceof ApiError ? error.status : undefined

/**
 * Returns the errors by field. If the API lists none but its reason concerns a single field, returns the message
 * as that field's error.
 */
function issuesOf(error: Error | null | undefined): readonly Issue[] {
  if (!(error instanceof ApiError)) return []
  const param = fieldByReason[error.reason]
  return error.details.length === 0 && param ? [{ param, errors: [error.summary] }] : error.details
}

/**
 * Returns whether a path is inside a list or object that has a single form field. For example, the field
 * `alertEmails` displays an error at `alertEmails[0]`.
 */
const isNestedIn = (inner: string, outer: string) =>
  inner.startsWith(`${outer}[`) || inner.startsWith(`${outer}.`)

const fieldByReason: Record<string, string> = {
  fund_insufficient: 'amount.value',
  refund_exceeds_payment: 'amount.value',
  recall_exceeds_payout: 'amount.value',
  reference_in_use: 'reference',
}
