import type { FastifyReply, FastifyRequest } from 'fastify'
import { fieldsOf } from '../../platform/fields.ts'
import type { Log } from '../../platform/log.ts'
import { Refusal } from '../../platform/refusals.ts'

/** A "no" of MTN's, in its form: `{"code": "PAYER_NOT_FOUND", "message": "…"}`. */
export class MtnError extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

export const badRequest = (message: string) => new MtnError(400, 'BAD_REQUEST', message)

/** Every error of the rail's addresses as MTN's document; a bug is logged and shown as MTN shows its own. */
export function showMtnError(log: Log) {
  return (error: unknown, _request: FastifyRequest, reply: FastifyReply) => {
    const { status, code, message } = mtnErrorOf(error, log)
    return reply.code(status).type('application/json').send(JSON.stringify({ code, message }))
  }
}

function mtnErrorOf(error: unknown, log: Log): MtnError {
  if (error instanceof MtnError) return error
  const status = error instanceof Refusal ? error.status : Number(fieldsOf(error).statusCode)
  if (status >= 400 && status < 500) return new MtnError(status, 'BAD_REQUEST', 'Bad request.')
  if (!(error instanceof Refusal)) log.error({ err: error }, 'the simulator failed')
  return new MtnError(500, 'INTERNAL_PROCESSING_ERROR', 'An internal error occurred while processing.')
}
