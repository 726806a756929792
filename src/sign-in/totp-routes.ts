import Type from 'typebox'
import { type Route, read } from '../platform/http/route.ts'
import { described, nullableText, object, text } from '../platform/http/shapes.ts'
import { must } from '../platform/must.ts'
import type { Platform } from '../platform/platform.ts'
import { Refusal } from '../platform/refusals.ts'
import { findUser } from '../spaces/spaces.ts'
import { noTotp, removeTotp, totpPlaceOf, wrongCode } from './codes.ts'
import { mailNotice } from './notices.ts'
import { type OwnRouteParts, ownRoute, type Person } from './own-route.ts'
import { countRecoveryCodes, recoveryCodeCount, remakeRecoveryCodes } from './recovery-codes.ts'
import { base32, findStep, newSecret, uriOf } from './totp.ts'
import { confirmTotp, enrolmentMs, insertTotp, lockTotp, selectTotp } from './totp-store.ts'

const status = object(
  {
    isEnabled: Type.Boolean({ description: 'Whether a link by mail asks for a code, too.' }),
    enableTime: described(nullableText, 'When it was confirmed; null: there is none.'),
    recoveryCodeCount: Type.Integer({ description: 'Recovery codes that are left.', examples: [10] }),
    lockedUntilTime: {
      ...nullableText,
      description:
        'Until when no code of the app is accepted in browsers that the caller has signed in with, after too many wrong ones.',
    },
    lockedElsewhereUntilTime: {
      ...nullableText,
      description: 'The same, of all other browsers.',
    },
  },
  { title: 'Totp' },
)

const recoveryCodes = object(
  {
    recoveryCodes: Type.Array(Type.String({ examples: ['ABCD-EFGH-IJKL-MNOP'] }), {
      minItems: recoveryCodeCount,
      maxItems: recoveryCodeCount,
      description: 'Each takes the place of one code, once. They are shown this once.',
    }),
  },
  { title: 'RecoveryCodes' },
)

/** A person's own authenticator app, and what helps where it is lost. */
export const totpRoutes = (parts: OwnRouteParts): Route[] => [
  read({
    url: '/v1/totp',
    summary: 'Whether the caller has an authenticator app',
    permission: null,
    result: status,
    read: ({ userId }) => describe(parts, userId),
  }),
  beginRoute(parts),
  confirmRoute(parts),
  ownRoute(parts, {
    url: '/v1/totp/remove',
    summary: 'Remove the authenticator app: a link by mail signs in alone again',
    reasons: ['state_conflict', 'step_up_required'],
    example: {},
    body: object({}),
    result: object({ isRemoved: described(Type.Boolean(), 'Always true.') }),
    needsStepUp: true,
    write: async (_body, person) => {
      await parts.db.transaction((tx) => removeTotp(tx, person.userId, person))
      return { isRemoved: true }
    },
  }),
  ownRoute(parts, {
    url: '/v1/recovery-codes',
    summary: 'Make ten new recovery codes: those from before do not work any more',
    reasons: ['state_conflict', 'step_up_required'],
    example: {},
    body: object({}),
    result: recoveryCodes,
    needsStepUp: true,
    write: async (_body, person) => ({
      recoveryCodes: await parts.db.transaction(async (tx) => {
        if (!(await lockTotp(tx, person.userId))?.confirmedAt) throw noTotp()
        await mailNotice(tx, person.userId, 'recovery_codes_remade', person)
        return remakeRecoveryCodes(tx, person.userId)
      }),
    }),
  }),
]

async function describe({ db }: Pick<Platform, 'db'>, userId: string) {
  const own = await selectTotp(db, userId)
  return {
    isEnabled: own?.confirmedAt !== undefined && own.confirmedAt !== null,
    enableTime: own?.confirmedAt?.toISOString() ?? null,
    recoveryCodeCount: await countRecoveryCodes(db, userId),
    lockedUntilTime: timeAhead(own?.knownLockedUntil),
    lockedElsewhereUntilTime: timeAhead(own?.lockedUntil),
  }
}

const timeAhead = (time: Date | null | undefined) => (time && time > new Date() ? time.toISOString() : null)

const beginRoute = (parts: OwnRouteParts) =>
  ownRoute(parts, {
    url: '/v1/totp/begin',
    summary: 'What an authenticator app needs; it counts once a code of it was confirmed, within 30 minutes',
    reasons: ['state_conflict', 'step_up_required'],
    example: {},
    body: object({}),
    result: object(
      {
        secret: Type.String({ description: 'In base32, to be typed.', examples: ['JBSWY3DPEHPK3PXP'] }),
        uri: Type.String({
          description: 'The same for a QR code.',
          examples: ['otpauth://totp/Pesewa:ama%40shop.example?secret=JBSWY3DPEHPK3PXP&issuer=Pesewa'],
        }),
      },
      { title: 'TotpSecret' },
    ),
    needsStepUp: true,
    write: async (_body, { userId }) => {
      const secret = newSecret()
      const locked = parts.vault.lock(totpPlaceOf(userId), secret)
      if (!(await parts.db.transaction((tx) => insertTotp(tx, userId, locked, new Date()))))
        throw new Refusal('state_conflict', { message: 'You have an authenticator app: remove it first.' })
      const { email } = must(await findUser(parts.db, userId), 'user of a session')
      const issuer = `Pesewa ${new URL(parts.baseUrl).hostname}`
      return { secret: base32(secret), uri: uriOf(secret, { issuer, account: email }) }
    },
  })

const confirmRoute = (parts: OwnRouteParts) =>
  ownRoute(parts, {
    url: '/v1/totp',
    summary: 'Confirm the authenticator app with a code that it shows; from now on a link asks for one',
    reasons: ['sign_in_failed', 'state_conflict', 'step_up_required'],
    example: { code: '482915' },
    body: object({
      code: text(6, 10, { pattern: '^\\s*\\d{3}\\s?\\d{3}\\s*$', description: 'Six digits.' }),
    }),
    result: recoveryCodes,
    needsStepUp: true,
    write: async ({ code }, person) => ({ recoveryCodes: await confirm(parts, code, person) }),
  })

/** Wrong codes are not counted here: whoever confirms has just been shown the secret. */
const confirm = ({ db, vault }: Platform, code: string, person: Person) =>
  db.transaction(async (tx) => {
    const { userId } = person
    const own = await lockTotp(tx, userId)
    const at = new Date()
    if (!own || own.confirmedAt || own.createdAt.getTime() + enrolmentMs < at.getTime())
      throw new Refusal('state_conflict', {
        message: 'No authenticator app waits to be confirmed: begin again.',
      })
    const secret = vault.unlock(totpPlaceOf(userId), own.secret)
    const step = findStep(secret, code.replace(/\s/g, ''), { at, lastStep: null })
    if (step === undefined) throw new Refusal('sign_in_failed', { message: wrongCode })
    await confirmTotp(tx, userId, step, at)
    await mailNotice(tx, userId, 'totp_enabled', person)
    return remakeRecoveryCodes(tx, userId)
  })
