import type { Database } from '../platform/db/database.ts'
import type { Scope } from '../platform/scope.ts'
import { eventsChannel } from './sequencer.ts'

/** Notices, on this node, that a Space has new events. */
export type Tail = {
  /** Calls back for every Space that has new events, or with nothing: any may have. Returns how to stop that. */
  on(notify: (scope: Scope | undefined) => void): () => void
  close(): void
}

export async function openTail(db: Database): Promise<Tail> {
  const listeners = new Set<(scope: Scope | undefined) => void>()
  const close = await db.onWake(eventsChannel, (about) => {
    const scope = about === undefined ? undefined : readScope(about)
    for (const notify of listeners) notify(scope)
  })
  return {
    on(notify) {
      listeners.add(notify)
      return () => void listeners.delete(notify)
    },
    close,
  }
}

function readScope(text: string): Scope {
  const [environment, spaceId = ''] = text.split(' ')
  return { spaceId, environment: environment === 'live' ? 'live' : 'test' }
}
