import type { FastifyRequest } from 'fastify'

/** What stands in a path for its `:names`. */
export const pathParams = ({ params }: FastifyRequest) =>
  // The router makes it of the very path that the route was declared with: all text, each of the names.
  params as Record<string, string>
