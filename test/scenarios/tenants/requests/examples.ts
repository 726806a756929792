import { readId, requestIds } from '../../../../packages/server/src/platform/ids.ts'
import { selectRequest } from '../../../../packages/server/src/tenants/requests/store.ts'
import type { SliceExamples } from '../../../support/examples.ts'
import { until } from '../../../support/harness.ts'

const at = 'to_timestamp((1700000000000 + n) / 1000.0)'

export const examples: SliceExamples = {
  notGuarded: {
    'GET /v1/requests':
      'a caller always finds their own request: test/scenarios/tenants/requests covers those of others',
  },
  filters: {
    pathPrefix: ['/v1/payments', '/v1/rare'],
    requestId: ['req-01kaj3v5w8e4r9tbn2m6c7d0xz', 'none'],
    tokenId: ['tok-01kaj3v5w8e4r9tbn2m6c7d0xz', 'none'],
  },
  /** Creates a logged request. */
  async make({ t, merchant, freeText }) {
    const { headers } = await merchant.call('GET', `/v1/payments?q=${freeText ?? 'x'}`)
    const id = readId(requestIds, headers.get('service-request-id') ?? '') ?? ''
    await until(() => selectRequest(t.app.parts.db, merchant.scope, id))
  },
  rows: {
    api_requests: {
      caller_id: `'018bcfe5-6801-7000-8000-000000000000'::uuid`,
      is_session: 'false',
      method: `case when n <= 5 then 'DELETE' else 'GET' end`,
      route: `'/v1/payments'`,
      path: `case when n <= 5 then '/v1/rare' else '/v1/payments' end`,
      status: 'case when n <= 5 then 404 else 200 end',
      is_body_cut: 'false',
      duration_ms: '1',
      at,
    },
  },
}
