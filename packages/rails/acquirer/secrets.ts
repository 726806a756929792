import type { SecretRail } from '../../../test/support/secret-rail.ts'
import { secrets as rest } from '../rest/secrets.ts'

export const secrets: SecretRail = {
  ...rest,
  protocol: 'acquirer',
  providerId: 'card',
  account: () => ({}),
  isPaidOut: false,
  fields: (secret) => ({ key: secret('acquirer key'), pageOrigin: 'https://cards.example' }),
  respond: (request, ...rest_) =>
    request.path.includes('/sessions/') && request.method === 'PUT'
      ? [202, { status: 'pending', redirectUrl: 'https://cards.example/1' }]
      : rest.respond(request, ...rest_),
}
