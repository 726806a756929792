import { randomInt } from 'node:crypto'
import { must } from '@pesewa/values'
import { parsePhone } from '@pesewa/values/phones'
import { publishEach } from '../../events/events.ts'
import { withEvents } from '../../events/new-rows.ts'
import { answersOf, type Outcome } from '../../platform/batches.ts'
import type { Database, Reader, Tx } from '../../platform/db/database.ts'
import { globalName, type Scoped } from '../../platform/db/scoped.ts'
import { durationMs } from '../../platform/duration.ts'
import type { NewRows, NotSimple } from '../../platform/http/commands/new-rows.ts'
import type { Metadata } from '../../platform/http/shapes/shapes.ts'
import { newId } from '../../platform/ids.ts'
import { scheduleEach } from '../../platform/jobs/queue.ts'
import { Issues, Refusal } from '../../platform/refusals.ts'
import { type CountryCache, findCountries } from '../../tenants/spaces/countries.ts'
import type { PaymentCodeSettings } from '../payment-codes/settings.ts'
import { claimingNumbers, claimNumbers, countOpen, insertOtps, type Otp } from './otp-store.ts'
import { eventOf, expiryOf } from './otps.ts'

export const defaultDuration = '5m' // limit: default lifetime of an OTP
/** The more OTPs are active for one phone in one Space, the easier it is to guess one. */
const maxOpen = 100 // limit: active OTPs for one phone in one Space

export type OtpRequest = Scoped<{
  body: {
    authorizedPhoneNumber: string
    verificationMessage?: string
    duration?: string
    metadata?: Metadata
  }
  at: Date
}>

/**
 * Creates OTPs. By dialling the digits that the merchant shows, the holder of the phone proves that they possess
 * it. Each request is carried out or refused independently of the others.
 */
export async function createOtps(
  tx: Tx,
  settings: PaymentCodeSettings,
  requests: OtpRequest[],
): Promise<Outcome<Scoped<Otp>>[]> {
  const built = await buildEach(tx, requests)
  const claimed = await claimFreeDigits(tx, answersOf(built))
  const outcomes = built.map((outcome) =>
    'error' in outcome || claimed.has(outcome.answer) ? outcome : { error: noDigitsLeft() },
  )
  const otps = answersOf(outcomes)
  if (otps.length === 0) return outcomes
  await tx.run(insertOtps(otps))
  scheduleEach(tx, otps.map(expiryOf))
  publishEach(
    tx,
    otps.map((otp) => eventOf(settings, otp, 'created', otp.createdAt)),
  )
  return outcomes
}

/** Prepares the rows of OTPs, or returns which requests are to be refused. */
export async function prepareOtps(
  db: Database,
  settings: PaymentCodeSettings,
  countries: CountryCache,
  requests: OtpRequest[],
): Promise<NewRows | NotSimple> {
  const built = await buildEach(db, requests, countries)
  const otps = answersOf(built)
  if (otps.length < requests.length) return { notSimple: built.map((outcome) => 'error' in outcome) }
  return withEvents(
    { inserts: [claimingNumbers(otps), insertOtps(otps)], jobs: otps.map(expiryOf) },
    otps.map((otp) => eventOf(settings, otp, 'created', otp.createdAt)),
  )
}

/** Returns each OTP without writing it, or the reason why it is refused. Its digits may already be taken. */
async function buildEach(
  db: Reader,
  requests: OtpRequest[],
  cache?: CountryCache,
): Promise<Outcome<Scoped<Otp>>[]> {
  const countries = await findCountries(db, requests, cache)
  const otps = requests.map((request): Outcome<Scoped<Otp>> => {
    const issues = new Issues()
    const phoneNumber = validatePhone(countries, request, issues)
    return phoneNumber === undefined
      ? { error: issues.refusal() }
      : { answer: buildOtp(request, phoneNumber) }
  })
  const sound = answersOf(otps)
  const open = new Map(
    (sound.length > 0 ? await countOpen(db, sound, maxOpen) : []).map(({ count, ...phone }) => [
      nameOf(phone),
      count,
    ]),
  )
  return otps.map((outcome) => {
    if ('error' in outcome) return outcome
    const count = open.get(nameOf(outcome.answer)) ?? 0
    if (count >= maxOpen) return { error: tooManyOpen() }
    open.set(nameOf(outcome.answer), count + 1)
    return outcome
  })
}

const nameOf = ({ scope, phoneNumber }: Scoped<{ phoneNumber: string }>) => globalName(scope, phoneNumber)

const tooManyOpen = () =>
  new Refusal('state_conflict', {
    message: `This phone already has ${maxOpen} active OTPs. Cancel one or wait for one to expire.`,
  })

const buildOtp = ({ scope, body, at }: OtpRequest, phoneNumber: string): Scoped<Otp> => ({
  scope,
  id: newId(at),
  status: 'pending',
  number: newDigits(),
  phoneNumber,
  verificationMessage: body.verificationMessage || null,
  metadata: body.metadata ?? {},
  expiresAt: new Date(at.getTime() + durationMs(body.duration ?? defaultDuration)),
  createdAt: at,
})

const newDigits = () => String(randomInt(1e6)).padStart(6, '0')

/** Returns the phone number in E.164 format. If it is not valid, adds an issue and returns `undefined`. */
export function validatePhone(
  countries: Map<string, string>,
  { scope, body }: Scoped<{ body: Pick<OtpRequest['body'], 'authorizedPhoneNumber'> }>,
  issues: Issues,
): string | undefined {
  const country = must(countries.get(scope.spaceId), 'country of a Space')
  const phoneNumber = parsePhone(body.authorizedPhoneNumber, country, scope.environment)
  if (phoneNumber === undefined) issues.add('authorizedPhoneNumber', 'must be a phone number')
  return phoneNumber
}

const maxTries = 1_000 // maximum number of attempts to find free digits for an OTP

/**
 * Gives each OTP digits that do not belong to another active OTP for its phone, and returns the OTPs for which
 * there were any.
 */
async function claimFreeDigits(tx: Tx, otps: Scoped<Otp>[]): Promise<Set<Scoped<Otp>>> {
  const claimed = new Set<Scoped<Otp>>()
  let left = otps
  for (let tries = 0; tries < maxTries && left.length > 0; tries++) {
    // A statement cannot claim the same digits twice.
    const distinct = [...new Map(left.map((otp) => [`${otp.phoneNumber} ${otp.number}`, otp])).values()]
    const ids = await claimNumbers(tx, distinct)
    for (const otp of distinct) if (ids.has(otp.id)) claimed.add(otp)
    left = left.filter((otp) => !claimed.has(otp))
    for (const otp of left) otp.number = newDigits()
  }
  return claimed
}

const noDigitsLeft = () =>
  new Refusal('state_conflict', {
    message: 'This phone has too many active OTPs. Wait for one to expire.',
  })
