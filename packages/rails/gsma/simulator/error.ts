import { RailError, type SimulatorParts, showRailError } from '@pesewa/connector-kit/simulator'

const statusOf = {
  businessRule: 400,
  validation: 400,
  authorisation: 401,
  identification: 404,
  internal: 500,
} as const

/**
 * An error in the standard's format, such as `{"errorCategory": "businessRule", "errorCode":
 * "insufficientFunds"}`.
 */
export class GsmaRailError extends RailError {
  readonly category: string

  constructor(category: keyof typeof statusOf, code: string) {
    super(statusOf[category], code)
    this.category = category
  }

  override document(): object {
    const { category: errorCategory, code: errorCode } = this
    return { errorCategory, errorCode, errorDescription: 'Simulated refusal.' }
  }
}

export const formatError = () => new GsmaRailError('validation', 'formatError')
export const notFound = () => new GsmaRailError('identification', 'identifierError')

/**
 * Returns the error for an unknown URL. It has no error category, so it cannot be mistaken for the error for an
 * unknown reference.
 */
export const noSuchRail = () => new RailError(404, 'no_such_rail')

export const showGsmaError = (log: SimulatorParts['log']) =>
  showRailError(log, {
    malformed: () => formatError(),
    broken: new GsmaRailError('internal', 'genericError'),
  })
