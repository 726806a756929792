import { fieldsOf, findCountry, must } from '@pesewa/values'
import Type from 'typebox'
import type { HomeTx } from '../../platform/db/database.ts'
import { homeCommand, list, type Route, read } from '../../platform/http/commands/route.ts'
import { object, optional, withDescription } from '../../platform/http/shapes/shapes.ts'
import { readId } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'
import { Issues } from '../../platform/refusals.ts'
import type { Catalogue } from '../../rails/connections/catalogue.ts'
import { findNameIssue } from '../../rails/connections/reserved-names.ts'
import type { Decider } from '../../tenants/spaces/audit.ts'
import { deciderOf } from '../../tenants/spaces/deciders.ts'
import { spaceIds } from '../../tenants/spaces/resources.ts'
import { reasonText } from '../../tenants/spaces/shapes.ts'
import { type Space, selectSpace } from '../../tenants/spaces/store.ts'
import { resumeSpace, suspendSpace, writeSpaceDecision } from '../../tenants/spaces/suspension.ts'
import { openMainAccounts, openSpace } from './opening.ts'
import { countedSpace, newSpace, operatorsSpace, presentCounted, presentSpace } from './space-shapes.ts'
import { selectCountedSpace, selectCountedSpaces, spaceStatuses } from './store.ts'

type Rails = { rails(): Promise<{ catalogue: Catalogue }> }

const url = '/v1/installation/spaces'
const reading = { permission: 'installation:read', result: countedSpace }
const writing = { permission: 'installation:write', result: operatorsSpace }

/** Routes for operators to list, open, suspend and resume Spaces. */
export const spaceRoutes = ({ db, home, rails }: Pick<Platform, 'db' | 'home'> & Rails): Route[] => [
  list({
    ...reading,
    url,
    summary: 'List all Spaces of the installation',
    query: object({
      status: withDescription(optional(Type.Enum(spaceStatuses)), 'Only Spaces with this status.'),
    }),
    list: ({ query: { status } }, page) => selectCountedSpaces(db, status, page),
    position: ({ id }) => id,
    present: presentCounted,
  }),
  read({
    ...reading,
    url: `${url}/:id`,
    idKind: spaceIds,
    summary: 'Retrieve any Space of the installation',
    read: async ({ id }) => {
      const space = await selectCountedSpace(db, id)
      return space && presentCounted(space)
    },
  }),
  homeCommand({
    ...writing,
    url,
    summary: 'Create a Space',
    reasons: ['reference_in_use'],
    body: newSpace,
    example: { name: 'Country Cloth Shop', country: 'SL', ownerEmail: 'owner@shop.example' },
    rules: [
      { about: ['country'], says: '`country` must be supported.' },
      {
        about: ['name'],
        says: '`name` must not resemble a provider’s name; `pesewa spaces create` accepts any name.',
      },
    ],
    validate: async (_db, { body: { name, country } }, issues) => {
      await checkName(rails, name, issues)
      if (country !== undefined && !findCountry(country)) issues.add('country', 'is not a supported country')
    },
    write: async (tx, call) => {
      const { body } = call
      const issues = new Issues()
      if (call.operator === undefined) await checkName(rails, body.name, issues)
      issues.refuse()
      const space = await openSpace(tx, body)
      const decider = await deciderOf(tx, call, 'opened')
      await writeSpaceDecision(tx, space.id, decider, 'space.open', { ownerEmail: body.ownerEmail ?? null })
      return presentSpace(space)
    },
    // Repeated by a retry if the node ends in between. Otherwise, the accounts are opened when they are first needed.
    afterCommit: async (_call, result) => {
      const id = must(readId(spaceIds, String(fieldsOf(result).id)), 'id of a new Space')
      const space = must(await selectSpace(home, id), 'new Space')
      await db.transaction((tx) => openMainAccounts(tx, space))
    },
  }),
  suspending(
    'suspend',
    'Suspend a Space',
    'Its API calls are then refused, and it accepts no payments.',
    suspendSpace,
  ),
  suspending('resume', 'Resume a Space', 'Ends its suspension.', resumeSpace),
]

/** Rejects a name that resembles the name of a provider. Operators can still use such a name with the CLI. */
async function checkName(rails: Rails['rails'], name: string | undefined, issues: Issues): Promise<void> {
  const fault = name === undefined ? undefined : findNameIssue((await rails()).catalogue, name)
  if (fault) issues.add('name', fault)
}

const suspending = (
  action: string,
  summary: string,
  about: string,
  work: (tx: HomeTx, id: string, decider: Decider) => Promise<Space>,
): Route =>
  homeCommand({
    ...writing,
    url: `${url}/:id/${action}`,
    idKind: spaceIds,
    summary,
    about,
    reasons: ['state_conflict'],
    needsStepUp: true,
    body: object({ reason: reasonText }),
    example: { reason: 'Its documents have expired' },
    write: async (tx, call) =>
      presentSpace(await work(tx, call.id, await deciderOf(tx, call, call.body.reason))),
  })
