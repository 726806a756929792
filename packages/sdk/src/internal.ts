// For the console, which is part of this repository and signs in with a cookie. The package does not export this.
export type { Answer } from './attempt.ts'
export type { Call, List } from './call.ts'
export { type Line, operationOf } from './connect.ts'
export { ApiError, ConnectionError, OutcomeUnknownError } from './errors.ts'
export * as api from './generated/session.ts'
export type { ClientOptions } from './options.ts'
export { request } from './request.ts'
