import type { Log } from '../../platform/log.ts'
import { RailError, showRailError } from '../engine/rail-error.ts'

/** A "no" of pawaPay's to the request itself: `{"failureReason": {"failureCode": "INVALID_INPUT", "failureMessage": "…"}}`. */
export class PawapayError extends RailError {
  override document(): object {
    return { failureReason: { failureCode: this.code, failureMessage: this.message } }
  }
}

export const invalidInput = () => new PawapayError(400, 'INVALID_INPUT', 'The request cannot be read.')

export const unknownError = () => new PawapayError(500, 'UNKNOWN_ERROR', 'Something went wrong.')

export const showPawapayError = (log: Log) =>
  showRailError(log, {
    malformed: (status) => new PawapayError(status, 'INVALID_INPUT', 'The request cannot be read.'),
    broken: unknownError(),
  })

/** A "no" to what was requested, which comes with a 200. Nothing was begun. */
export class PawapayRejection extends Error {
  readonly code: string

  constructor(code: string) {
    super(code)
    this.code = code
  }
}
