import type { FastifyRequest } from 'fastify'

/** Returns the values of a request's path parameters, such as `:name`, by their names. */
export const pathParams = ({ params }: FastifyRequest) =>
  // The router extracts the values according to the declared path, so every parameter has a text value.
  params as Record<string, string>
