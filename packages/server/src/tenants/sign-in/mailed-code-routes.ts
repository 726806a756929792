import { must } from '@pesewa/values'
import Type from 'typebox'
import type { RawRoute } from '../../platform/http/commands/route.ts'
import { nullableText, object, text, timestamp, withDescription } from '../../platform/http/shapes/shapes.ts'
import { selectUser } from '../spaces/store.ts'
import { maskEmail } from './confirmation.ts'
import { createMailedCode, isShown, mailedCodeOf, stepUpByMailedCode } from './mailed-codes.ts'
import { type OwnRouteParts, ownRoute } from './own-route.ts'
import { steppedUp } from './signing-in.ts'

const mailed = object(
  {
    email: Type.String({
      description: 'Masked email address to which the code is sent: its first letter and its domain.',
      examples: ['a…@shop.example'],
    }),
    expireTime: withDescription(timestamp, 'Time at which the code expires.'),
    code: {
      ...nullableText,
      description:
        'The code itself, if the service runs on the developer’s own machine and has no mail server; otherwise null.',
    },
  },
  { title: 'MailedCode' },
)

const body = object({
  code: text(6, 10, { pattern: '^\\s*\\d{3}\\s?\\d{3}\\s*$', description: 'Six-digit code from the email.' }),
})

/** Routes that mail a code to a user who must step up, and accept it in the session that requested it. */
export const mailedCodeRoutes = (parts: OwnRouteParts): RawRoute[] => [
  ownRoute(parts, {
    url: '/v1/step-up/mail/begin',
    summary: 'Send a step-up code by email',
    about: 'The code has six digits. Refused if the user has a safer method.',
    reasons: ['state_conflict'],
    example: {},
    body: object({}),
    result: mailed,
    write: async (_body, person) => {
      const { settings, seals } = parts
      const { email } = must(await selectUser(parts.home, person.userId), 'user of a session')
      const { id, expiresAt } = await parts.home.transaction((tx) => createMailedCode(tx, settings, person))
      return {
        email: maskEmail(email),
        expireTime: expiresAt.toISOString(),
        code: isShown(settings) ? mailedCodeOf(seals, id) : null,
      }
    },
  }),
  ownRoute(parts, {
    url: '/v1/step-up/mail',
    summary: 'Step up with a code sent by email',
    reasons: ['sign_in_failed', 'state_conflict'],
    example: { code: '482915' },
    body,
    result: steppedUp,
    write: async ({ code }, person) => {
      const refusal = await parts.home.transaction((tx) => stepUpByMailedCode(tx, parts.seals, code, person))
      if (refusal) throw refusal
      return { isFresh: true }
    },
  }),
]
