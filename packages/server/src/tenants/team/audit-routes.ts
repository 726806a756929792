import Type from 'typebox'
import type { Reader } from '../../platform/db/database.ts'
import { list, type Route } from '../../platform/http/commands/route.ts'
import {
  createTime,
  freeObject,
  group,
  object,
  optional,
  ownId,
  shownText,
  text,
  withDescription,
} from '../../platform/http/shapes/shapes.ts'
import { showId } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'
import { argumentRefusal } from '../../platform/refusals.ts'
import { allResources, readObjectId, resourceOf } from '../../platform/resources.ts'
import type { Scope } from '../../platform/scope.ts'
import { maxActorLength } from '../spaces/audit.ts'
import { auditIds } from '../spaces/resources.ts'
import type { AuditEntry } from '../spaces/store.ts'
import { hasEntries, selectScopedEntries } from './audit-store.ts'

const entry = object(
  {
    id: ownId(auditIds),
    createTime,
    actor: Type.String({
      description: 'Actor: an email address, or the name given to a command.',
      examples: ['owner@shop.example'],
    }),
    action: shownText('Action, as object type and verb.', 'token.create'),
    object: group('Object of the action.', {
      id: withDescription(Type.String(), 'Id of the object.', 'tok-01kaj3v5w8e4r9tbn2m6c7d0xz'),
      type: shownText('Type of the object.', 'token'),
    }),
    reason: withDescription(
      Type.String(),
      'Reason given by the actor. For some actions, this is a standard text.',
      'A new integration',
    ),
    details: withDescription(freeObject, 'Further details, which depend on the action.'),
  },
  { title: 'AuditEntry', description: 'A decision made by a person. Audit entries never change.' },
)

const maxAction = 100 // maximum number of characters of the action in an audit filter

export const auditRoutes = ({ db }: Pick<Platform, 'db'>): Route[] => [
  list({
    url: '/v1/audit-entries',
    summary: 'List audit entries',
    about: 'Newest first.',
    permission: 'audit:read',
    query: object({
      actor: optional(
        text(1, maxActorLength, {
          description: 'Only entries of this actor (exact match).',
          examples: ['ama@shop.example'],
        }),
      ),
      action: withDescription(
        optional(text(1, maxAction, { examples: ['token.create'] })),
        'Only entries with this action.',
      ),
      objectId: optional(
        text(1, 100, {
          description: 'Only entries about the object with this id.',
          examples: ['tok-01kaj3v5w8e4r9tbn2m6c7d0xz'],
        }),
      ),
    }),
    result: entry,
    list: async ({ scope, query: { actor, action, objectId } }, page) => {
      const object = objectId === undefined ? undefined : await findAuditedObject(db, scope, objectId)
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

async function findAuditedObject(db: Reader, scope: Scope, shownId: string) {
  const named = readObjectId(shownId)
  const type = allResources().find(({ ids }) => ids === named?.ids)?.type
  const object = named && type !== undefined ? { id: named.id, type } : undefined
  if (object && (await hasEntries(db, scope, object))) return object
  throw argumentRefusal('objectId', 'has no audit entries in this Space')
}
