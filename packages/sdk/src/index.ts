export { type Answer, Call, List, type Page } from './call.ts'
export { Pesewa, Pesewa as default } from './client.ts'
export {
  ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  type Fault,
  InvalidRequestError,
  NotFoundError,
  OutcomeUnknownError,
  PermissionError,
  PesewaError,
  RateLimitError,
  ServerError,
} from './errors.ts'
export type * from './generated/resources.ts'
export type * from './generated/types.ts'
export { decimal, type MoneyOf, money } from './money.ts'
export type { CallOptions, PesewaOptions, RequestInfo, ResponseInfo } from './options.ts'
export type { StreamOptions } from './stream.ts'
export { type Secrets, verifyWebhook, WebhookVerificationError } from './webhooks.ts'
