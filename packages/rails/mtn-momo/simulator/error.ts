import { RailError, type SimulatorParts, showRailError } from '@pesewa/connector-kit/simulator'

/** An error in MTN's format, such as `{"code": "PAYER_NOT_FOUND", "message": "…"}`. */
export class MtnError extends RailError {}

export const badRequest = (message: string) => new MtnError(400, 'BAD_REQUEST', message)

export const showMtnError = (log: SimulatorParts['log']) =>
  showRailError(log, {
    malformed: (status) => new MtnError(status, 'BAD_REQUEST', 'Bad request.'),
    broken: new MtnError(500, 'INTERNAL_PROCESSING_ERROR', 'An internal error occurred while processing.'),
  })
