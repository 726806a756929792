import Type from 'typebox'
import type { Reader } from '../platform/db/database.ts'
import { list, type Route } from '../platform/http/route.ts'
import { createTime, described, freeObject, object, optional, ownId, text } from '../platform/http/shapes.ts'
import { showId } from '../platform/ids.ts'
import type { Platform } from '../platform/platform.ts'
import { argumentRefusal } from '../platform/refusals.ts'
import { allResources, readObjectId, resourceOf } from '../platform/resources.ts'
import type { Scope } from '../platform/scope.ts'
import { type AuditEntry, maxActorLength } from '../spaces/audit.ts'
import { auditIds } from '../spaces/resources.ts'
import { hasEntries, selectScopedEntries } from './audit-store.ts'

const entry = object(
  {
    id: ownId(auditIds),
    createTime,
    actor: Type.String({
      description: 'Who: an email address, or what somebody called themselves at a command.',
      examples: ['owner@shop.example'],
    }),
    action: described(
      Type.String({ examples: ['token.create'] }),
      'What was decided: a kind of object, and what was done to it.',
    ),
    object: described(
      object({
        id: described(Type.String(), 'The id of the object.', 'tok-01kaj3v5w8e4r9tbn2m6c7d0xz'),
        type: described(Type.String({ examples: ['token'] }), 'What kind of object it is.'),
      }),
      'What it was decided about.',
    ),
    reason: described(
      Type.String(),
      'Why, in their words; for some actions, words of ours.',
      'A new integration',
    ),
    details: described(freeObject, 'What else is known of it, by action.'),
  },
  { title: 'AuditEntry', description: 'What a person decided. It is never changed.' },
)

const maxAction = 100 // limit: characters of an action of an audit entry

export const auditRoutes = ({ db }: Pick<Platform, 'db'>): Route[] => [
  list({
    url: '/v1/audit-entries',
    summary: 'List what people decided, the newest first',
    permission: 'audit:read',
    query: object({
      actor: optional(
        text(1, maxActorLength, {
          description: 'As it stands in entries, whole.',
          examples: ['ama@shop.example'],
        }),
      ),
      action: described(optional(text(1, maxAction, { examples: ['token.create'] })), 'Only this action.'),
      objectId: optional(
        text(1, 100, {
          description: 'The id of what was decided about.',
          examples: ['tok-01kaj3v5w8e4r9tbn2m6c7d0xz'],
        }),
      ),
    }),
    result: entry,
    list: async ({ scope, query: { actor, action, objectId } }, page) => {
      const object = objectId === undefined ? undefined : await audited(db, scope, objectId)
      return selectScopedEntries(db, scope, { actor, action, object }, page)
    },
    position: ({ id }) => id,
    present: ({ id, at, actor, action, objectType, objectId, reason, details }: AuditEntry) => ({
      id: showId(auditIds, id),
      createTime: at.toISOString(),
      actor,
      action,
      object: { id: showId(resourceOf(objectType).ids, objectId), type: objectType },
      reason,
      details: { ...details },
    }),
  }),
]

async function audited(db: Reader, scope: Scope, shownId: string) {
  const named = readObjectId(shownId)
  const type = allResources().find(({ ids }) => ids === named?.ids)?.type
  const object = named && type !== undefined ? { id: named.id, type } : undefined
  if (object && (await hasEntries(db, scope, object))) return object
  throw argumentRefusal('objectId', 'names nothing here that was decided about')
}
