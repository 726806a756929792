import type { SliceExamples, Stock } from '../../support/examples.ts'
import { until } from '../../support/harness.ts'

const deliveriesOf = async ({ merchant }: Stock, webhook: string) =>
  (await merchant.call('GET', `/v1/webhooks/${webhook}/deliveries`)).body.result

export const examples: SliceExamples = {
  filters: { withActivity: ['true'] },
  /** Creates two endpoints at closed ports, each with a delivery. */
  async make(stock) {
    const name = stock.freeText ?? 'Orders'
    const body = {
      name,
      url: 'http://127.0.0.1:1/hook',
      events: ['payout.completed'],
      metadata: { [name]: name },
    }
    for (let i = 0; i < 2; i++) {
      const { id } = await stock.post('/v1/webhooks', body)
      await stock.merchant.call('POST', `/v1/webhooks/${id}/ping`, {})
      await until(async () => (await deliveriesOf(stock, id)).length > 0)
    }
  },
  async settle(stock) {
    for (const id of stock.ids('whk')) {
      await until(async () =>
        (await deliveriesOf(stock, id)).some(({ attempts }: { attempts: object[] }) => attempts.length > 0),
      )
      await stock.merchant.call('PATCH', `/v1/webhooks/${id}`, { enabled: false })
    }
  },
  // A Space can have at most a hundred webhooks.
  inSeparateSpace: ['POST /v1/webhooks'],
  rows: {
    webhook_hours: {
      id: '',
      webhook_id: "lpad(to_hex(n / 24), 32, '0')::uuid",
      hour_of_day: 'n % 24',
      hour: "timestamptz '2026-11-21'",
      delivered: '1',
      failed: '0',
    },
  },
}
