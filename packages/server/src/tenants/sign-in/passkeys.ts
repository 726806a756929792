import type { Static } from 'typebox'
import type { HomeTx } from '../../platform/db/database.ts'
import { newId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusals.ts'
import { challengeMs } from './challenges.ts'
import type { assertedCredential, newCredential } from './passkey-shapes.ts'
import { insertPasskey, lockPasskey, markPasskeyUsed, type Passkey } from './passkey-store.ts'

export const maxPasskeys = 20 // limit: passkeys per user

/**
 * Returns the WebAuthn relying party, which consists of this service's host and origin. Passkeys that were
 * created for other origins cannot be used.
 */
export function relyingPartyOf(baseUrl: string) {
  const { hostname, origin } = new URL(baseUrl)
  // Browsers create passkeys only for host names, not for IP addresses.
  if (/^[\d.]+$|^\[/.test(hostname))
    throw new Refusal('state_conflict', {
      message: 'Passkeys do not work with an IP address. Open the console using its host name.',
    })
  return { rpID: hostname, origin }
}

/** Returns the options with which the browser creates a passkey. */
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

/**
 * Returns the options with which the browser signs a challenge. If `own` is empty, the user can choose any
 * passkey.
 */
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

/**
 * Verifies and registers a new passkey, and returns it. Returns `undefined` if the response is not valid or the
 * credential is already registered.
 */
export async function registerPasskey(
  tx: HomeTx,
  baseUrl: string,
  { userId, name, challenge, credential }: NewPasskey,
): Promise<Passkey | undefined> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const { rpID, origin } = relyingPartyOf(baseUrl)
  const { id, clientDataJSON, attestationObject, transports } = credential
  if (!(await isWithoutCertificates(attestationObject))) return undefined
  const verified = await verifyRegistrationResponse({
    response: { ...credentialEnvelope(id), response: { clientDataJSON, attestationObject } },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
    // The library throws on a malformed or badly signed response; both count as not verified.
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
 * Returns whether an attestation contains no certificates. The options do not request any. Verifying
 * certificates would require fetching revocation lists from URLs that they contain, and an attacker could
 * control these URLs (SSRF).
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

/**
 * Returns the passkey's owner and, as `isGood`, whether the passkey signed the challenge. Returns `undefined`
 * if the passkey is not registered.
 */
export async function checkAssertion(
  tx: HomeTx,
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

/**
 * Returns the authenticator's new counter, or `undefined` if the signature is not valid. If the authenticator
 * uses a counter, it must have increased.
 */
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
    response: { ...credentialEnvelope(id), response: { clientDataJSON, authenticatorData, signature } },
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

const credentialEnvelope = (id: string) => ({
  id,
  rawId: id,
  type: 'public-key' as const,
  clientExtensionResults: {},
})
