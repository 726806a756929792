import type { FastifyReply, FastifyRequest } from 'fastify'
import { fieldsOf } from '../../platform/fields.ts'
import type { Log } from '../../platform/log.ts'
import { Refusal } from '../../platform/refusals.ts'

/** A "no" of a simulated rail: `{"code": "not_found"}`, with a message where the rail has one, unless it writes it in another way. */
export class RailError extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message = '') {
    super(message)
    this.status = status
    this.code = code
  }

  /** As the rail writes it. */
  document(): object {
    const { code, message } = this
    return { code, ...(message && { message }) }
  }
}

/** How a rail shows a request that it cannot read, and a bug of its own. */
type RailFaults = { malformed(status: number): RailError; broken: RailError }

const restFaults: RailFaults = {
  malformed: (status) => new RailError(status, 'request_invalid'),
  broken: new RailError(500, 'internal_error'),
}

/** Every error of a rail's addresses as its document; a bug is logged, and shown as the rail shows its own. */
export function showRailError(log: Log, faults = restFaults) {
  return (error: unknown, _request: FastifyRequest, reply: FastifyReply) => {
    const shown = railErrorOf(error, log, faults)
    return reply.code(shown.status).type('application/json').send(JSON.stringify(shown.document()))
  }
}

function railErrorOf(error: unknown, log: Log, { malformed, broken }: RailFaults): RailError {
  if (error instanceof RailError) return error
  const status = error instanceof Refusal ? error.status : Number(fieldsOf(error).statusCode)
  if (status >= 400 && status < 500) return malformed(status)
  if (!(error instanceof Refusal)) log.error({ err: error }, 'the simulator failed')
  return broken
}
