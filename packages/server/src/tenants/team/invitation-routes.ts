import Type from 'typebox'
import { noBody } from '../../platform/http/commands/resource.ts'
import { homeCommand, list, type Route } from '../../platform/http/commands/route.ts'
import {
  createTime,
  object,
  optionalEnum,
  ownId,
  shownText,
  text,
  timestamp,
  withDescription,
  withMeanings,
} from '../../platform/http/shapes/shapes.ts'
import { showId } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'
import { deciderOf } from '../spaces/deciders.ts'
import { type Invitation, invitationStatuses, selectInvitations } from './invitation-store.ts'
import { invite, resend, statusOf, withdraw } from './invitations.ts'
import { invitationIds } from './resources.ts'
import { refusingTestTokens } from './roles.ts'
import { role } from './shapes.ts'

const invitation = object(
  {
    id: ownId(invitationIds),
    email: shownText('Email address of the invited person.', 'ama@shop.example'),
    role,
    status: withMeanings(Type.Enum(invitationStatuses), 'Status of the invitation.', {
      pending: 'it can be accepted',
      accepted: 'it was accepted',
      expired: 'it was not accepted within seven days',
      withdrawn: 'it was withdrawn',
    }),
    createTime,
    expireTime: withDescription(timestamp, 'Time until which the invitation can be accepted.'),
  },
  {
    title: 'Invitation',
    description:
      'An invitation. Its link is only sent by email, because anyone who has the link can sign in.',
  },
)

const url = '/v1/invitations'
const one = { url: `${url}/:id`, idKind: invitationIds }
const writing = { permission: 'members:write', result: invitation, needsStepUp: true }

export const invitationRoutes = ({ home }: Pick<Platform, 'home'>): Route[] => [
  list({
    url,
    summary: 'List invitations to the Space',
    permission: 'members:read',
    query: object({
      status: optionalEnum(invitationStatuses, 'Only invitations with this status.'),
    }),
    result: invitation,
    list: ({ scope: { spaceId }, query: { status } }, page) => selectInvitations(home, spaceId, status, page),
    position: ({ id }) => id,
    present,
  }),
  homeCommand({
    ...writing,
    url,
    summary: 'Create an invitation',
    about: 'Invites a person to the Space by email.',
    reasons: ['state_conflict'],
    body: object({
      email: withDescription(
        text(3, 254, { pattern: '^[^\\s@]+@[^\\s@]+$', examples: ['ama@shop.example'] }),
        'Email address to which the invitation is sent.',
      ),
      role,
    }),
    example: { email: 'ama@shop.example', role: 'developer' },
    write: refusingTestTokens(async (tx, { scope: { spaceId }, body, userId }) => {
      const decider = { ...(await deciderOf(tx, { userId }, 'invited')), userId }
      return present(await invite(tx, { spaceId, ...body }, decider))
    }),
  }),
  homeCommand({
    ...writing,
    ...one,
    ...noBody,
    url: `${one.url}/resend`,
    summary: 'Resend an invitation',
    about: 'It can then be accepted for 7 more days.',
    reasons: ['state_conflict'],
    write: refusingTestTokens(async (tx, { scope: { spaceId }, id, userId }) => {
      const decider = { ...(await deciderOf(tx, { userId }, 'resent by email')), userId }
      return present(await resend(tx, spaceId, id, decider))
    }),
  }),
  {
    ...writing,
    ...one,
    kind: 'change',
    isHome: true,
    method: 'DELETE',
    summary: 'Withdraw an invitation',
    reasons: ['state_conflict'],
    result: Type.Null(),
    write: refusingTestTokens(async (tx, { scope: { spaceId }, id, userId }) => {
      const decider = { ...(await deciderOf(tx, { userId }, 'withdrawn')), userId }
      await withdraw(tx, spaceId, id, decider)
      return null
    }),
  },
]

const present = (row: Invitation) => ({
  id: showId(invitationIds, row.id),
  email: row.email,
  role: row.role,
  status: statusOf(row, new Date()),
  createTime: row.createdAt.toISOString(),
  expireTime: row.expiresAt.toISOString(),
})
