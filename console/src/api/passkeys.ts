import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { ApiError, call } from './client.ts'

const outsideSpace = { scope: undefined }

/**
 * Returns whether passkeys can be used on this page. Browsers allow them only over HTTPS or on localhost, and
 * never on an IP address.
 */
export const hasPasskeys = () => typeof PublicKeyCredential === 'function' && !isIpAddress(location.hostname)

const isIpAddress = (host: string) => /^[\d.]+$/.test(host) || host.includes(':')

/** Signs in with a passkey that the user selects and unlocks in the browser's dialog. */
export async function signInWithPasskey(): Promise<void> {
  const { result } = await call('POST /v1/sign-in/passkey/begin', {}, outsideSpace)
  const credential = await sign(result.options)
  await call('POST /v1/sign-in/passkey', { body: { credential } }, outsideSpace)
}

/** Confirms the user's identity with a passkey. The API requires this before sensitive calls. */
export async function stepUpWithPasskey(): Promise<void> {
  const { result } = await call('POST /v1/step-up/passkey/begin', {}, outsideSpace)
  const credential = await sign(result.options)
  await call('POST /v1/step-up/passkey', { body: { credential } }, outsideSpace)
}

export async function addPasskey(name: string): Promise<void> {
  const { result } = await call('POST /v1/passkeys/begin', {}, outsideSpace)
  const { startRegistration } = await import('@simplewebauthn/browser')
  // Safe: the API passes on these options unchanged. The OpenAPI document does not describe them.
  const optionsJSON = result.options as unknown as PublicKeyCredentialCreationOptionsJSON
  const { id, response } = await startRegistration({ optionsJSON }).catch(throwPasskeyUnused)
  const { clientDataJSON, attestationObject, transports = [] } = response
  const credential = { id, clientDataJSON, attestationObject, transports }
  await call('POST /v1/passkeys', { body: { name, credential } }, outsideSpace)
}

async function sign(options: Record<string, unknown>) {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  // Safe, for the same reason as in `addPasskey`.
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON
  const { id, response } = await startAuthentication({ optionsJSON }).catch(throwPasskeyUnused)
  const { clientDataJSON, authenticatorData, signature, userHandle } = response
  return { id, clientDataJSON, authenticatorData, signature, ...(userHandle && { userHandle }) }
}

/**
 * Throws the error for a passkey that was not used. Browsers do not report whether the user cancelled, the
 * dialog timed out or there was no passkey.
 */
function throwPasskeyUnused(): never {
  throw new ApiError(0, { reason: 'passkey_unused', message: '' })
}
