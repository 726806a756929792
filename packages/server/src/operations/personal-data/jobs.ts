import { enqueue, outsideSpaces, scopeOf } from '../../platform/jobs/queue.ts'
import type { Jobs } from '../../platform/jobs/runner.ts'
import { environments } from '../../platform/scope.ts'
import { type ErasureParts, eraseNext } from './erasing.ts'
import { forgetPersons } from './export-store.ts'
import type { ExportParts } from './exporting.ts'
import { selectSpaceIds } from './progress-store.ts'
import { eraseExpired } from './retaining.ts'

const spacesAtOnce = 100

export function personalDataJobs(parts: ErasureParts & ExportParts, stopping: AbortSignal): Jobs {
  const { db, clock } = parts
  return {
    'personal-data.erase': (payload) =>
      db.transaction((tx) => eraseNext(tx, parts, scopeOf(payload), String(payload.erasureId))),
    /** Starts the daily job of every Space and environment. They run one after the other. */
    'personal-data.retain': async ({ after = '00000000-0000-0000-0000-000000000000' }) => {
      await db.transaction(async (tx) => {
        await forgetPersons(tx)
        const spaces = await selectSpaceIds(tx, String(after), spacesAtOnce)
        for (const { id: spaceId } of spaces)
          for (const environment of environments)
            enqueue(
              tx,
              'personal-data.retain-in-space',
              { spaceId, environment },
              null,
              'personal-data.retain',
            )
        if (spaces.length === spacesAtOnce)
          enqueue(tx, 'personal-data.retain', { ...outsideSpaces, after: spaces.at(-1)?.id })
      })
    },
    'personal-data.retain-in-space': (payload) => {
      const scope = scopeOf(payload)
      return eraseExpired(db, parts, scope, clock.now(scope), stopping)
    },
  }
}
