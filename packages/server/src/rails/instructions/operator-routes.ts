import { wholeNumber } from '@pesewa/values'
import Type from 'typebox'
import { shownMoney } from '../../countries/shapes.ts'
import { command, type Route, read } from '../../platform/http/commands/route.ts'
import {
  arrayOf,
  idOf,
  object,
  opaqueText,
  shownText,
  timestamp,
  withDescription,
  withMeanings,
} from '../../platform/http/shapes/shapes.ts'
import { readId, showId } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'
import { Refusal } from '../../platform/refusals.ts'
import { resourceOf } from '../../platform/resources.ts'
import { environments } from '../../platform/scope.ts'
import { deciderOf } from '../../tenants/spaces/deciders.ts'
import { showOwner } from '../../tenants/spaces/ownership.ts'
import { spaceIds } from '../../tenants/spaces/resources.ts'
import { reasonText } from '../../tenants/spaces/shapes.ts'
import type { Followers } from './follower.ts'
import { type OwnerType, ownerTypes } from './owner-types.ts'
import { listUnknown, resolvableFrom, resolve } from './resolving.ts'
import type { OpenInstruction } from './store.ts'

export type ResolvingParts = Pick<Platform, 'db' | 'log' | 'seals'> & { openFollowers(): Promise<Followers> }

const url = '/v1/installation/unknown-outcomes'
const example = 'pay-01kaj3v5w8e4r9tbn2m6c7d0xz'

const lastKnown = {
  submitting: 'sent; no response was recorded',
  submitted: 'accepted by the provider',
  unknown: 'ambiguous response from the provider',
} as const satisfies Record<OpenInstruction['state'], string>

const outcome = withMeanings(Type.Enum(['completed', 'failed'] as const), '', {
  completed: 'the money moved',
  failed: 'no money moved',
})

const item = object(
  {
    id: shownText('ID of the payment, payout or refund.', example),
    spaceId: withDescription(idOf(spaceIds), 'Id of the Space.'),
    environment: Type.Enum(environments, { description: 'Environment of the money: `test` or `live`.' }),
    providerId: shownText('Provider to which it was sent.', 'm17'),
    amount: withDescription(shownMoney, 'Amount of the instruction.'),
    sentTime: withDescription(timestamp, 'When it was sent, by the Space’s clock.'),
    resolvableFrom: withDescription(timestamp, 'When it can be resolved manually, by the Space’s clock.'),
    lastKnown: shownText('Last known state of the instruction.', 'accepted by the provider'),
    railReference: shownText('Reference with which it was sent to the rail.', '7h2k9q4m'),
  },
  { title: 'UnknownOutcome' },
)

/** Routes for operators to list payments, payouts and refunds without an outcome, and to resolve them. */
export const resolvingRoutes = (parts: ResolvingParts): Route[] => [
  read({
    url,
    permission: 'installation:read',
    summary: 'List unknown outcomes',
    about: 'Payments, payouts or refunds without an outcome, oldest first, at most a thousand.',
    query: object({ type: Type.Enum(ownerTypes, { description: 'What to list.', examples: ['payment'] }) }),
    result: object({ items: arrayOf('Objects, oldest first.', item) }, { title: 'UnknownOutcomes' }),
    read: async ({ query: { type } }) => ({ items: (await listUnknown(parts.db, type)).map(present) }),
  }),
  command({
    url: `${url}/resolve`,
    permission: 'installation:write',
    summary: 'Resolve an unknown outcome',
    about: 'Records the outcome of a payment, payout or refund. Check with the provider first.',
    reasons: ['state_conflict', 'not_found'],
    needsStepUp: true,
    result: object(
      {
        id: shownText('ID of the payment, payout or refund.', example),
        status: withDescription(outcome, 'Recorded outcome.'),
      },
      { title: 'ResolvedOutcome' },
    ),
    body: object({
      id: withDescription(
        opaqueText(1, 100, { examples: [example] }),
        'ID of the payment, payout or refund.',
      ),
      as: withDescription(outcome, 'Outcome according to the provider’s staff or statement.'),
      reason: reasonText,
    }),
    example: { id: example, as: 'failed', reason: 'Confirmed by provider support' },
    write: async (tx, call) => {
      const { id: shown, as, reason } = call.body
      const { log, seals } = parts
      const recording = { log, seals, followers: await parts.openFollowers() }
      await resolve(tx, recording, { ...ownerOf(shown), resolution: as }, await deciderOf(tx, call, reason))
      return { id: shown, status: as }
    },
  }),
]

function ownerOf(shown: string): { ownerType: OwnerType; id: string } {
  for (const ownerType of ownerTypes) {
    const id = readId(resourceOf(ownerType).ids, shown)
    if (id) return { ownerType, id }
  }
  throw new Refusal('not_found', { message: 'There is no such payment, payout or refund.' })
}

const present = (instruction: OpenInstruction) => ({
  id: showOwner({ type: instruction.ownerType, id: instruction.id }),
  spaceId: showId(spaceIds, instruction.scope.spaceId),
  environment: instruction.scope.environment,
  providerId: instruction.providerId,
  amount: { currency: instruction.currency, value: wholeNumber(instruction.amount) },
  sentTime: instruction.submittedAt.toISOString(),
  resolvableFrom: resolvableFrom(instruction).toISOString(),
  lastKnown: lastKnown[instruction.state],
  railReference: instruction.reference,
})
