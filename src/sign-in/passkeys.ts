import type { Static } from 'typebox'
import type { Tx } from '../platform/db/database.ts'
import { newId } from '../platform/ids.ts'
import { Refusal } from '../platform/refusals.ts'
import { challengeMs } from './challenges.ts'
import type { assertedCredential, newCredential } from './passkey-shapes.ts'
import { insertPasskey, lockPasskey, markPasskeyUsed, type Passkey } from './passkey-store.ts'

export const maxPasskeys = 20 // limit: passkeys of a person

/** Who a passkey is for: this service, by its own address. A key that was made for another origin signs nothing here. */
export function relyingPartyOf(baseUrl: string) {
  const { hostname, origin } = new URL(baseUrl)
  // Browsers make passkeys for names only.
  if (/^[\d.]+$|^\[/.test(hostname))
    throw new Refusal('state_conflict', {
      message: 'Passkeys need the service to have a name: open it by that, and not by its number.',
    })
  return { rpID: hostname, origin }
}

/** What a browser needs to make a passkey. */
export async function registrationOptions(
  baseUrl: string,
  user: { id: string; email: string },
  challenge: string,
  own: Passkey[],
) {
  const { generateRegistrationOptions } = await import('@simplewebauthn/server')
  return generateRegistrationOptions({
    rpName: 'Pesewa',
    rpID: relyingPartyOf(baseUrl).rpID,
    userID: new Uint8Array(Buffer.from(user.id)),
    userName: user.email,
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    timeout: challengeMs,
    attestationType: 'none',
    excludeCredentials: own.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

/** What a browser needs to sign; without any of `own` whichever passkey its person chooses. */
export async function assertionOptions(baseUrl: string, challenge: string, own: Passkey[]) {
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server')
  return generateAuthenticationOptions({
    rpID: relyingPartyOf(baseUrl).rpID,
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    timeout: challengeMs,
    userVerification: 'required',
    allowCredentials: own.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
  })
}

type NewPasskey = {
  userId: string
  name: string
  challenge: string
  credential: Static<typeof newCredential>
}

/** Registers what an authenticator made. `undefined`: it is not what was asked for. */
export async function registerPasskey(
  tx: Tx,
  baseUrl: string,
  { userId, name, challenge, credential }: NewPasskey,
): Promise<Passkey | undefined> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const { rpID, origin } = relyingPartyOf(baseUrl)
  const { id, clientDataJSON, attestationObject, transports } = credential
  if (!(await isWithoutCertificates(attestationObject))) return undefined
  const verified = await verifyRegistrationResponse({
    response: { ...formOf(id), response: { clientDataJSON, attestationObject } },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
    // What is not of the form, or not signed, it throws: whatever it is, it is nothing to register.
  }).catch(() => undefined)
  if (!verified?.verified) return undefined
  const { credential: made, credentialBackedUp } = verified.registrationInfo
  const at = new Date()
  const passkey: Passkey = {
    id: newId(at),
    userId,
    credentialId: made.id,
    publicKey: Buffer.from(made.publicKey),
    counter: BigInt(made.counter),
    transports,
    name,
    isSynced: credentialBackedUp,
    createdAt: at,
    usedAt: null,
  }
  return (await insertPasskey(tx, passkey)) ? passkey : undefined
}

/**
 * Nobody was asked where their authenticator was made. Certificates would be checked for having been revoked, at addresses that
 * stand in them: a stranger's choice, which is no place to go to.
 */
async function isWithoutCertificates(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  try {
    const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')))
    const isKnown = ['none', 'packed'].includes(decoded.get('fmt'))
    return isKnown && decoded.get('attStmt').get('x5c') === undefined
  } catch {
    return false
  }
}

export type CheckedAssertion = { userId: string; isGood: boolean }

/** Whose passkey signed the challenge, and whether it did. `undefined`: nobody has registered such a one. */
export async function checkAssertion(
  tx: Tx,
  baseUrl: string,
  challenge: string | undefined,
  asserted: Static<typeof assertedCredential>,
): Promise<CheckedAssertion | undefined> {
  const passkey = await lockPasskey(tx, asserted.id)
  if (!passkey) return undefined
  const { userId } = passkey
  const newCounter = challenge && (await verifyAssertion(baseUrl, challenge, asserted, passkey))
  if (newCounter === undefined || newCounter === '') return { userId, isGood: false }
  await markPasskeyUsed(tx, passkey.id, newCounter, new Date())
  return { userId, isGood: true }
}

/** The authenticator's counter, which must have risen where it has one; `undefined`: it has not signed that. */
async function verifyAssertion(
  baseUrl: string,
  challenge: string,
  { id, clientDataJSON, authenticatorData, signature, userHandle }: Static<typeof assertedCredential>,
  passkey: Passkey,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const { rpID, origin } = relyingPartyOf(baseUrl)
  if (userHandle && Buffer.from(userHandle, 'base64url').toString() !== passkey.userId) return undefined
  const verified = await verifyAuthenticationResponse({
    response: { ...formOf(id), response: { clientDataJSON, authenticatorData, signature } },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(passkey.publicKey),
      counter: Number(passkey.counter),
    },
  }).catch(() => undefined)
  return verified?.verified ? verified.authenticationInfo.newCounter : undefined
}

const formOf = (id: string) => ({
  id,
  rawId: id,
  type: 'public-key' as const,
  clientExtensionResults: {},
})
