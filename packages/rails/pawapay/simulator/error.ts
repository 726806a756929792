import { RailError, type SimulatorParts, showRailError } from '@pesewa/connector-kit/simulator'

/**
 * A request error in pawaPay's format, such as `{"failureReason": {"failureCode": "INVALID_INPUT",
 * "failureMessage": "…"}}`.
 */
export class PawapayError extends RailError {
  override document(): object {
    return { failureReason: { failureCode: this.code, failureMessage: this.message } }
  }
}

export const invalidInput = (status = 400) =>
  new PawapayError(status, 'INVALID_INPUT', 'The request is malformed.')

export const showPawapayError = (log: SimulatorParts['log']) =>
  showRailError(log, {
    malformed: invalidInput,
    broken: new PawapayError(500, 'UNKNOWN_ERROR', 'Something went wrong.'),
  })

/** A rejected operation, which is reported with status 200. Nothing has been started. */
export class PawapayRejection extends Error {
  readonly code: string

  constructor(code: string) {
    super(code)
    this.code = code
  }
}
