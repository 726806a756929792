import { must } from '@pesewa/values'
import Type from 'typebox'
import { type Route, read } from '../../platform/http/commands/route.ts'
import { flag, nullableText, object, text, textOrNull } from '../../platform/http/shapes/shapes.ts'
import type { Platform } from '../../platform/platform.ts'
import { Refusal } from '../../platform/refusals.ts'
import { selectUser } from '../spaces/store.ts'
import { noTotp, removeTotp, totpVaultLabel, wrongCodeRefusal } from './codes.ts'
import { mailNotice } from './notices.ts'
import { type OwnRouteParts, ownRoute, type SignedInUser } from './own-route.ts'
import { countRecoveryCodes, recoveryCodeCount, replaceRecoveryCodes } from './recovery-codes.ts'
import { base32, matchingStep, newSecret, totpUri } from './totp.ts'
import { confirmTotp, enrolmentMs, insertTotp, lockTotp, selectTotp } from './totp-store.ts'

const status = object(
  {
    isEnabled: flag('True if signing in with a link also requires an authenticator code.'),
    enableTime: textOrNull('Time at which the app was confirmed; null if there is none.'),
    recoveryCodeCount: Type.Integer({ description: 'Number of unused recovery codes.', examples: [10] }),
    lockedUntilTime: {
      ...nullableText,
      description:
        'Time until which authenticator codes are locked in the user’s known browsers, after too many wrong codes; null if they are not locked.',
    },
    lockedElsewhereUntilTime: {
      ...nullableText,
      description:
        'Time until which authenticator codes are locked in all other browsers; null if they are not locked.',
    },
  },
  { title: 'Totp' },
)

const recoveryCodes = object(
  {
    recoveryCodes: Type.Array(Type.String({ examples: ['ABCD-EFGH-IJKL-MNOP'] }), {
      minItems: recoveryCodeCount,
      maxItems: recoveryCodeCount,
      description:
        'Recovery codes. Each can be used once instead of an authenticator code. They will not be shown again.',
    }),
  },
  { title: 'RecoveryCodes' },
)

/** Routes for the caller's own authenticator app and recovery codes. */
export const totpRoutes = (parts: OwnRouteParts): Route[] => [
  read({
    url: '/v1/totp',
    summary: 'Retrieve the status of your authenticator app',
    permission: null,
    result: status,
    read: ({ userId }) => describe(parts, userId),
  }),
  beginRoute(parts),
  confirmRoute(parts),
  ownRoute(parts, {
    url: '/v1/totp/remove',
    summary: 'Remove the authenticator app',
    reasons: ['state_conflict', 'step_up_required'],
    example: {},
    body: object({}),
    result: object({ isRemoved: flag('Always true.') }),
    needsStepUp: true,
    write: async (_body, person) => {
      await parts.home.transaction((tx) => removeTotp(tx, person.userId, person))
      return { isRemoved: true }
    },
  }),
  ownRoute(parts, {
    url: '/v1/recovery-codes',
    summary: 'Create recovery codes',
    about: 'Creates ten new codes. The old ones stop working.',
    reasons: ['state_conflict', 'step_up_required'],
    example: {},
    body: object({}),
    result: recoveryCodes,
    needsStepUp: true,
    write: async (_body, person) => ({
      recoveryCodes: await parts.home.transaction(async (tx) => {
        if (!(await lockTotp(tx, person.userId))?.confirmedAt) throw noTotp()
        await mailNotice(tx, person.userId, 'recovery_codes_remade', person)
        return replaceRecoveryCodes(tx, person.userId)
      }),
    }),
  }),
]

async function describe({ home }: Pick<Platform, 'home'>, userId: string) {
  const own = await selectTotp(home, userId)
  return {
    isEnabled: own?.confirmedAt !== undefined && own.confirmedAt !== null,
    enableTime: own?.confirmedAt?.toISOString() ?? null,
    recoveryCodeCount: await countRecoveryCodes(home, userId),
    lockedUntilTime: futureTime(own?.knownLockedUntil),
    lockedElsewhereUntilTime: futureTime(own?.lockedUntil),
  }
}

const futureTime = (time: Date | null | undefined) => (time && time > new Date() ? time.toISOString() : null)

const beginRoute = (parts: OwnRouteParts) =>
  ownRoute(parts, {
    url: '/v1/totp/begin',
    summary: 'Start adding an authenticator app',
    about: 'Confirm it with a code within 30 minutes.',
    reasons: ['state_conflict', 'step_up_required'],
    example: {},
    body: object({}),
    result: object(
      {
        secret: Type.String({
          description: 'Secret in base32, for manual entry.',
          examples: ['JBSWY3DPEHPK3PXP'],
        }),
        uri: Type.String({
          description: 'Secret as a URI, for a QR code.',
          examples: ['otpauth://totp/Pesewa:ama%40shop.example?secret=JBSWY3DPEHPK3PXP&issuer=Pesewa'],
        }),
      },
      { title: 'TotpSecret' },
    ),
    needsStepUp: true,
    write: async (_body, { userId }) => {
      const secret = newSecret()
      const locked = parts.vault.lock(totpVaultLabel(userId), secret)
      if (!(await parts.home.transaction((tx) => insertTotp(tx, userId, locked, new Date()))))
        throw new Refusal('state_conflict', {
          message: 'You already have an authenticator app. Remove it first.',
        })
      const { email } = must(await selectUser(parts.home, userId), 'user of a session')
      const issuer = `Pesewa ${new URL(parts.baseUrl).hostname}`
      return { secret: base32(secret), uri: totpUri(secret, { issuer, account: email }) }
    },
  })

const confirmRoute = (parts: OwnRouteParts) =>
  ownRoute(parts, {
    url: '/v1/totp',
    summary: 'Confirm the authenticator app',
    about: 'Sign-in links require a code from then on.',
    reasons: ['sign_in_failed', 'state_conflict', 'step_up_required'],
    example: { code: '482915' },
    body: object({
      code: text(6, 10, {
        pattern: '^\\s*\\d{3}\\s?\\d{3}\\s*$',
        description: 'Six-digit code from the app.',
      }),
    }),
    result: recoveryCodes,
    needsStepUp: true,
    write: async ({ code }, person) => ({ recoveryCodes: await confirm(parts, code, person) }),
  })

/** Confirms the app. Wrong codes do not count towards a lock, because the caller has just been shown the secret. */
const confirm = ({ home, vault }: Platform, code: string, person: SignedInUser) =>
  home.transaction(async (tx) => {
    const { userId } = person
    const own = await lockTotp(tx, userId)
    const at = new Date()
    if (!own || own.confirmedAt || own.createdAt.getTime() + enrolmentMs < at.getTime())
      throw new Refusal('state_conflict', {
        message: 'No authenticator app is waiting to be confirmed. Start again.',
      })
    const secret = vault.unlock(totpVaultLabel(userId), own.secret)
    const step = matchingStep(secret, code.replace(/\s/g, ''), { at, lastStep: null })
    if (step === undefined) throw wrongCodeRefusal()
    await confirmTotp(tx, userId, step, at)
    await mailNotice(tx, userId, 'totp_enabled', person)
    return replaceRecoveryCodes(tx, userId)
  })
