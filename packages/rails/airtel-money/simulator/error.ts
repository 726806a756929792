import { RailError, type SimulatorParts, showRailError } from '@pesewa/connector-kit/simulator'

/** An error in Airtel's format. */
export class AirtelError extends RailError {
  override document(): object {
    const { status, code, message } = this
    const result = code.startsWith('ESB') ? { result_code: code } : { response_code: code }
    return { status: { code: String(status), message, ...result, success: false } }
  }
}

/** An error from the gateway. The request never reached the service behind it. */
export class GatewayError extends RailError {
  override document(): object {
    return { status_code: this.code, status_message: this.message }
  }
}

/** An error concerning an access token. */
export class OauthError extends RailError {
  override document(): object {
    return { error: this.code, error_description: this.message }
  }
}

export const invalidRequest = (status = 400) => new GatewayError(status, 'ROUTER003', 'Invalid request')

export const showAirtelError = (log: SimulatorParts['log']) =>
  showRailError(log, {
    malformed: invalidRequest,
    broken: new GatewayError(500, 'ESB000001', 'General Error'),
  })
