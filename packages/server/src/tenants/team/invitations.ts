import { must, sameText } from '@pesewa/values'
import type { HomeTx } from '../../platform/db/database.ts'
import { durationMs } from '../../platform/duration.ts'
import { firstId, newId, readId, showId } from '../../platform/ids.ts'
import { enqueue, outsideSpaces } from '../../platform/jobs/queue.ts'
import { Refusal } from '../../platform/refusals.ts'
import type { Seals } from '../../platform/seals.ts'
import { writeSpaceEntry } from '../spaces/audit.ts'
import type { Role } from '../spaces/permissions.ts'
import { addUser, setMember } from '../spaces/spaces.ts'
import { lockSpace, selectUserByEmail } from '../spaces/store.ts'
import {
  countInvitationsSince,
  countMembers,
  type Invitation,
  type InvitationStatus,
  insertInvitation,
  markAccepted,
  markMailed,
  markWithdrawn,
  selectInvitation,
  selectOpenInvitation,
} from './invitation-store.ts'
import type { TeamDecider } from './members.ts'
import { invitationIds } from './resources.ts'
import { canManageRoles, checkCanManageRoles, roleOf } from './roles.ts'

const lifeMs = durationMs('7d') // limit: how long an invitation can be accepted after it was last mailed
const maxMembers = 200 // limit: members of a Space, including open invitations
const maxInvitationsPerDay = 50 // limit: invitations of a Space per day
const maxMails = 5 // limit: number of times an invitation can be mailed
const dayMs = durationMs('1d')
const purpose = 'invitation'

/**
 * Returns the link of an invitation. Its secret, like that of a sign-in link, is derived from the id and not
 * stored, and is part of the fragment, which servers never receive.
 */
export const invitationLink = ({ baseUrl, seals }: { baseUrl: string; seals: Seals }, id: string): string =>
  `${baseUrl}/console/sign-in#invitation=${showId(invitationIds, id)}.${seals.tag(purpose, id)}`

/**
 * Invites a person by email.
 * @throws Refusal `access_denied` if the decider's role is too low; `state_conflict` if the person is already a
 * member or already invited, or if a limit has been reached
 */
export async function invite(
  tx: HomeTx,
  { spaceId, email, role }: { spaceId: string; email: string; role: Role },
  decider: TeamDecider,
): Promise<Invitation> {
  if (!(await lockSpace(tx, spaceId))) throw new Refusal('not_found', { message: 'There is no such Space.' })
  await checkCanManageRoles(tx, spaceId, decider.userId, [role])
  const createdAt = new Date()
  await checkInvitable(tx, spaceId, email, createdAt)
  const invitation: Invitation = {
    id: newId(createdAt),
    spaceId,
    email,
    role,
    inviterId: decider.userId ?? null,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + lifeMs),
    mailCount: 1,
    acceptedAt: null,
    withdrawnAt: null,
  }
  await insertInvitation(tx, invitation)
  await enqueueMail(tx, invitation)
  await note(tx, invitation, decider, 'invitation.create')
  return invitation
}

async function checkInvitable(tx: HomeTx, spaceId: string, email: string, now: Date): Promise<void> {
  const refuse = (message: string) => new Refusal('state_conflict', { message })
  const user = await selectUserByEmail(tx, email)
  if (user && (await roleOf(tx, { spaceId, userId: user.id })))
    throw refuse('This person is already a member.')
  const open = await selectOpenInvitation(tx, spaceId, email)
  if (open && open.expiresAt > now)
    throw refuse('This person is already invited. Resend the invitation instead.')
  if (open) await markWithdrawn(tx, open.id, now)
  if ((await countMembers(tx, spaceId, now)) >= maxMembers)
    throw refuse(`A Space can have at most ${maxMembers} members, including open invitations.`)
  const dayAgo = firstId(new Date(now.getTime() - dayMs))
  if ((await countInvitationsSince(tx, spaceId, dayAgo)) >= maxInvitationsPerDay)
    throw refuse(`A Space can send at most ${maxInvitationsPerDay} invitations per day.`)
}

/**
 * Mails the link again, and extends the invitation to 7 days from now.
 *
 * @throws Refusal `not_found`; `access_denied`; `state_conflict` if it was accepted or withdrawn, or has been
 * mailed too often
 */
export async function resend(
  tx: HomeTx,
  spaceId: string,
  id: string,
  decider: TeamDecider,
): Promise<Invitation> {
  const invitation = await lockOpen(tx, spaceId, id, decider)
  if (invitation.mailCount >= maxMails)
    throw new Refusal('state_conflict', {
      message: `An invitation can be sent at most ${maxMails} times. Withdraw this one and create a new invitation.`,
    })
  await markMailed(tx, id, new Date(Date.now() + lifeMs))
  await enqueueMail(tx, invitation)
  await note(tx, invitation, decider, 'invitation.resend')
  return must(await selectInvitation(tx, id), 'invitation that was mailed')
}

/**
 * Withdraws an invitation, so that its link no longer works. Repeating the call has no effect.
 *
 * @throws Refusal `not_found`; `access_denied`; `state_conflict` if it was accepted
 */
export async function withdraw(tx: HomeTx, spaceId: string, id: string, decider: TeamDecider): Promise<void> {
  await lockSpace(tx, spaceId)
  const invitation = await selectInvitation(tx, id)
  if (invitation?.spaceId === spaceId && invitation.withdrawnAt) return
  await lockOpen(tx, spaceId, id, decider)
  await markWithdrawn(tx, id, new Date())
  await note(tx, must(invitation, 'invitation'), decider, 'invitation.withdraw')
}

async function lockOpen(tx: HomeTx, spaceId: string, id: string, decider: TeamDecider): Promise<Invitation> {
  await lockSpace(tx, spaceId)
  const invitation = await selectInvitation(tx, id)
  if (invitation?.spaceId !== spaceId)
    throw new Refusal('not_found', { message: 'No such invitation in this Space.' })
  await checkCanManageRoles(tx, spaceId, decider.userId, [invitation.role])
  const status = statusOf(invitation, new Date())
  if (status === 'accepted' || status === 'withdrawn')
    throw new Refusal('state_conflict', { message: `This invitation was already ${status}.` })
  return invitation
}

/**
 * Returns the invitation for the secret of a link, if it can be accepted. The invitation's Space is locked, so
 * that the invitation is accepted only once. Links that are wrong, used, withdrawn or expired are all refused
 * in the same way, and so are links whose inviter is no longer allowed to invite.
 *
 * @throws Refusal `sign_in_failed`
 */
export async function lockInvitation(tx: HomeTx, seals: Seals, secret: string): Promise<Invitation> {
  const [shown = '', tag = ''] = secret.split('.', 2)
  const id = readId(invitationIds, shown)
  if (!id || !sameText(tag, seals.tag(purpose, id))) throw new Refusal('sign_in_failed')
  const spaceId = (await selectInvitation(tx, id))?.spaceId
  if (spaceId) await lockSpace(tx, spaceId)
  const invitation = await selectInvitation(tx, id)
  if (
    !invitation ||
    statusOf(invitation, new Date()) !== 'pending' ||
    !(await mayStillInvite(tx, invitation))
  )
    throw new Refusal('sign_in_failed')
  return invitation
}

/** Makes the invited person a member and returns their user id. A user is created if necessary. */
export async function acceptInvitation(tx: HomeTx, invitation: Invitation): Promise<string> {
  const { id, spaceId, email, role } = invitation
  const user = (await selectUserByEmail(tx, email)) ?? (await addUser(tx, email))
  const membership = { spaceId, userId: user.id }
  // If the person has already become a member, they keep their current role.
  if (!(await roleOf(tx, membership))) await setMember(tx, { ...membership, role })
  await markAccepted(tx, id, user.id, new Date())
  await note(tx, invitation, { by: email, reason: 'accepted the invitation' }, 'invitation.accept')
  return user.id
}

const mayStillInvite = async (tx: HomeTx, { spaceId, inviterId, role }: Invitation): Promise<boolean> => {
  if (inviterId === null) return true
  const own = await roleOf(tx, { spaceId, userId: inviterId })
  return (own === 'owner' || own === 'admin') && canManageRoles(own, [role])
}

export const statusOf = ({ acceptedAt, withdrawnAt, expiresAt }: Invitation, now: Date): InvitationStatus =>
  acceptedAt ? 'accepted' : withdrawnAt ? 'withdrawn' : expiresAt > now ? 'pending' : 'expired'

/**
 * Queues the job that mails an invitation. The job contains only the invitation's id, so the queue contains no
 * working link.
 */
const enqueueMail = (tx: HomeTx, { id }: Invitation) =>
  enqueue(tx, 'invitations.mail', { ...outsideSpaces, invitationId: id })

const note = (tx: HomeTx, { id, spaceId, email, role }: Invitation, decider: TeamDecider, action: string) =>
  writeSpaceEntry(tx, spaceId, decider, {
    action,
    objectType: 'invitation',
    objectId: id,
    details: { email, role },
  })
