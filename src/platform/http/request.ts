import type { FastifyRequest } from 'fastify'

/** Returns the values of the parameters in a path, such as `:name`. */
export const pathParams = ({ params }: FastifyRequest) =>
  // The router extracts the values according to the declared path, so every parameter has a text value.
  params as Record<string, string>
