import { accountIds } from '../../../../packages/server/src/ledger/accounts/resources.ts'
import { payoutIds } from '../../../../packages/server/src/money/payouts/resources.ts'
import { newId, readId, showId } from '../../../../packages/server/src/platform/ids.ts'
import type { SliceExamples } from '../../../support/examples.ts'
import { copyFromTest } from '../../../support/rows.ts'

const at = 'to_timestamp((1700000000000 + n) / 1000.0)'
const [never, seldom] = ['018bcfe5-6801-7000-8000-000000000000', '018bcfe5-6802-7000-8000-000000000000']

export const examples: SliceExamples = {
  // The recall has ended when these routes are called.
  withoutSuitableObject: [
    'POST /v1/installation/recalls/:id/return',
    'POST /v1/installation/recalls/:id/refuse',
  ],
  // Only a part, so that something is left for the next recall.
  bodies: {
    'POST /v1/recalls': { amount: { currency: 'SLE', value: 1 } },
    'POST /v1/installation/recalls/:id/return': { amount: { currency: 'SLE', value: 1 } },
  },
  issues: {
    'POST /v1/recalls': [
      {
        body: {
          payoutId: 'pyt-01kaj3v5w8e4r9tbn2m6c7d0xz',
          amount: { currency: 'SLE', value: -1 },
          reason: 'regret',
          note: 'x'.repeat(141),
        },
        shape: ['amount.value', 'note', 'reason'],
        meaning: ['payoutId'],
      },
    ],
  },
  // A payout is rarely recalled more than once, and open recalls are rare and old.
  filters: { payoutId: [never, seldom].map((id) => showId(payoutIds, id)) },
  rows: {
    recalls: {
      status: `case when n <= 5 then 'open' else 'refused' end`,
      payout_id: `case when n <= 5 then '${seldom}' else gen_random_uuid() end`,
      amount: '1',
      currency: `'SLE'`,
      provider_id: `'m17'`,
      financial_account_id: 'gen_random_uuid()',
      reason: `'other'`,
      created_by: 'gen_random_uuid()',
      metadata: `'{}'`,
      payout_metadata: `'{}'`,
      created_at: at,
      updated_at: at,
    },
  },
  /** Creates recalls of a payout that has left, because no live rail can be called here. */
  async make({ t, merchant, ids, freeText, post }) {
    const payoutId = (await merchant.call('GET', '/v1/payouts')).body.result[0].id
    if (merchant.scope.environment === 'live')
      return copyFromTest(t.app.parts.db, merchant.scope, {
        recalls: {
          id: newId(new Date()),
          payout_id: readId(payoutIds, payoutId),
          financial_account_id: readId(accountIds, ids('fac')[0]!),
          note: freeText,
          metadata: {},
          payout_metadata: {},
        },
      })
    const metadata = freeText === undefined ? {} : { [freeText]: freeText }
    for (const reason of ['wrong_payee', 'duplicate'])
      await post('/v1/recalls', {
        ...{ payoutId, amount: { currency: 'SLE', value: 1 }, reason, metadata },
        note: freeText ?? null,
      })
  },
}
