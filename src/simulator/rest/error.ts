import type { FastifyReply, FastifyRequest } from 'fastify'
import { fieldsOf } from '../../platform/fields.ts'
import type { Log } from '../../platform/log.ts'
import { Refusal } from '../../platform/refusals.ts'

/** A "no" of a simulated bank, wallet or acquirer: `{"code": "not_found"}`. */
export class RailError extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string) {
    super(code)
    this.status = status
    this.code = code
  }
}

/** Every error of the rail's addresses as its document; a bug is logged and shown as the rail shows its own. */
export function showRailError(log: Log) {
  return (error: unknown, _request: FastifyRequest, reply: FastifyReply) => {
    const { status, code } = railErrorOf(error, log)
    return reply.code(status).type('application/json').send(JSON.stringify({ code }))
  }
}

function railErrorOf(error: unknown, log: Log): RailError {
  if (error instanceof RailError) return error
  const status = error instanceof Refusal ? error.status : Number(fieldsOf(error).statusCode)
  if (status >= 400 && status < 500) return new RailError(status, 'request_invalid')
  if (!(error instanceof Refusal)) log.error({ err: error }, 'the simulator failed')
  return new RailError(500, 'internal_error')
}
