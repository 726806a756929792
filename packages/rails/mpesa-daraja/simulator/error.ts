import { RailError, type SimulatorParts, showRailError } from '@pesewa/connector-kit/simulator'

/**
 * An error from Safaricom's gateway, such as `{"requestId": "…", "errorCode": "400.002.02", "errorMessage":
 * "…"}`.
 */
export class DarajaError extends RailError {
  override document(): object {
    return { requestId: '94fc-460e-8a62-simulated', errorCode: this.code, errorMessage: this.message }
  }
}

export const invalid = (field: string) => new DarajaError(400, '400.002.02', `Bad Request - Invalid ${field}`)

/**
 * Returns an error with a code that Safaricom uses for many different errors. Only the text says which error it
 * is.
 */
export const muddled = (message: string) => new DarajaError(500, '500.001.1001', message)

export const showDarajaError = (log: SimulatorParts['log']) =>
  showRailError(log, {
    malformed: (status) => new DarajaError(status, '400.002.05', 'Invalid Request Payload'),
    broken: new DarajaError(500, '500.003.1001', 'Internal Server Error'),
  })
