import type { Reader } from '../../platform/db/database.ts'
import { noBody, resource } from '../../platform/http/commands/resource.ts'
import type { Route } from '../../platform/http/commands/route.ts'
import { readId } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'
import { argumentRefusal } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import { payoutIds } from '../payouts/resources.ts'
import { selectPayout } from '../payouts/store.ts'
import { createRecall, validateRecall } from './new-recall.ts'
import { endRecall, presentRecall } from './recalls.ts'
import { recallIds } from './resources.ts'
import { newRecall, recall, recallFilters } from './shapes.ts'
import { selectRecalls, shareRecalls } from './store.ts'

export function recallRoutes({ db }: Platform): Route[] {
  const recalls = resource({
    url: '/v1/recalls',
    // Members who may create payouts may also recall them.
    permission: 'payouts',
    idKind: recallIds,
    result: recall,
    find: shareRecalls(db),
    present: (row, { scope }) => presentRecall(scope, row),
  })
  return [
    recalls.create({
      summary: 'Create a recall',
      about: 'Requests the return of all or part of a payout that went to the wrong person.',
      reasons: ['state_conflict', 'recall_exceeds_payout'],
      body: newRecall,
      example: { payoutId: 'pyt-01kaj3v5w8e4r9tbn2m6c7d0xz', reason: 'wrong_payee' },
      rules: [
        { about: ['payoutId'], says: '`payoutId` must be the ID of a payout in the Space.' },
        { about: ['amount.currency'], says: '`amount.currency` must be the currency of the payout.' },
      ],
      validate: (reader, { scope, body }, issues) =>
        validateRecall(reader, scope, body, issues).then(() => {}),
      write: (tx, { scope, body, userId, now }) => createRecall(tx, scope, body, userId, now),
    }),
    recalls.list({
      summary: 'List recalls',
      query: recallFilters,
      list: async ({ scope, query }, page) => {
        const { payoutId: shown } = query
        const payoutId = shown === undefined ? undefined : await payoutInQuery(db, scope, shown)
        return selectRecalls(db, scope, { ...query, payoutId }, page)
      },
    }),
    recalls.read({ summary: 'Retrieve a recall' }),
    recalls.action('cancel', {
      ...noBody,
      summary: 'Cancel a recall',
      about: 'Only while it is open.',
      reasons: ['state_conflict'],
      write: (tx, { scope, id, now }) => endRecall(tx, scope, id, 'cancelled', now),
    }),
  ]
}

async function payoutInQuery(db: Reader, scope: Scope, shown: string): Promise<string> {
  const id = readId(payoutIds, shown)
  if (!id || !(await selectPayout(db, scope, id)))
    throw argumentRefusal('payoutId', 'does not name a payout in this Space and environment')
  return id
}
