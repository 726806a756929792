import { fieldsOf } from '@pesewa/values'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SimulatorParts } from './parts.ts'
import { LostResponse } from './submitting.ts'

/**
 * An error from a simulated rail. By default, it has the form `{"code": "not_found"}`, with a message if the
 * rail sends one. Subclasses use the format of their rail.
 */
export class RailError extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message = '') {
    super(message)
    this.status = status
    this.code = code
  }

  /** Returns the error in the rail's format. */
  document(): object {
    const { code, message } = this
    return { code, ...(message && { message }) }
  }
}

/** How a rail reports a malformed request and an internal error. */
type RailErrorFormats = { malformed(status: number): RailError; broken: RailError }

const restFaults: RailErrorFormats = {
  malformed: (status) => new RailError(status, 'request_invalid'),
  broken: new RailError(500, 'internal_error'),
}

/**
 * Returns an error handler that sends every error in the rail's format. A bug is logged and reported as an
 * internal error of the rail. If the response is lost, the connection is closed as if the network had failed.
 */
export function showRailError(log: SimulatorParts['log'], issues = restFaults) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    if (error instanceof LostResponse) {
      reply.hijack()
      return void request.raw.socket.destroy()
    }
    const shown = railErrorOf(error, log, issues)
    return reply.code(shown.status).type('application/json').send(JSON.stringify(shown.document()))
  }
}

function railErrorOf(
  error: unknown,
  log: SimulatorParts['log'],
  { malformed, broken }: RailErrorFormats,
): RailError {
  if (error instanceof RailError) return error
  const { statusCode, status: refused = statusCode } = fieldsOf(error)
  const status = Number(refused)
  if (status >= 400 && status < 500) return malformed(status)
  if (Number.isNaN(status)) log.error({ err: error }, 'simulator request failed')
  return broken
}
