import type { FastifyRequest } from 'fastify'

/** Returns the values of a path's `:names`. */
export const pathParams = ({ params }: FastifyRequest) =>
  // The router fills it from the declared path: every name is present, and all values are text.
  params as Record<string, string>
