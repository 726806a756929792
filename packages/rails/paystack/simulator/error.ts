import { RailError, type SimulatorParts, showRailError } from '@pesewa/connector-kit/simulator'

/** An error in Paystack's format. */
export class PaystackError extends RailError {
  override document(): object {
    const { code, message } = this
    return {
      status: false,
      message,
      code,
      type: code === 'internal_error' ? 'api_error' : 'validation_error',
    }
  }
}

export const badRequest = (message: string) => new PaystackError(400, 'invalid_params', message)
export const transactionNotFound = () =>
  new PaystackError(400, 'transaction_not_found', 'Transaction reference not found.')

export const showPaystackError = (log: SimulatorParts['log']) =>
  showRailError(log, {
    malformed: (status) => new PaystackError(status, 'invalid_params', 'Invalid request.'),
    broken: new PaystackError(500, 'internal_error', 'An error occurred'),
  })
