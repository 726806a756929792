import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { api, call } from './client.ts'
import { PasskeyUnusedError } from './errors.ts'

/**
 * Returns whether passkeys can be used on this page. Browsers allow them only over HTTPS or on localhost, and
 * never on an IP address.
 */
export const hasPasskeys = () => typeof PublicKeyCredential === 'function' && !isIpAddress(location.hostname)

const isIpAddress = (host: string) => /^[\d.]+$/.test(host) || host.includes(':')

/** Signs in with a passkey that the user selects and unlocks in the browser's dialog. */
export async function signInWithPasskey(): Promise<void> {
  const { data } = await call(api.signIn.passkeyBegin, [])
  const credential = await sign(data.options)
  await call(api.signIn.passkey, [{ credential }])
}

/** Confirms the user's identity with a passkey. The API requires this before sensitive calls. */
export async function stepUpWithPasskey(): Promise<void> {
  const { data } = await call(api.stepUp.passkeyBegin, [])
  const credential = await sign(data.options)
  await call(api.stepUp.passkey, [{ credential }])
}

export async function addPasskey(name: string): Promise<void> {
  const { data } = await call(api.passkeys.begin, [])
  const { startRegistration } = await import('@simplewebauthn/browser')
  // Safe: the API passes on these options unchanged. The OpenAPI document does not describe them.
  const optionsJSON = data.options as unknown as PublicKeyCredentialCreationOptionsJSON
  const { id, response } = await startRegistration({ optionsJSON }).catch(throwPasskeyUnused)
  const { clientDataJSON, attestationObject, transports = [] } = response
  const credential = { id, clientDataJSON, attestationObject, transports }
  await call(api.passkeys.create, [{ name, credential }])
}

async function sign(options: Record<string, unknown>) {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  // Safe, for the same reason as in `addPasskey`.
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON
  const { id, response } = await startAuthentication({ optionsJSON }).catch(throwPasskeyUnused)
  const { clientDataJSON, authenticatorData, signature, userHandle } = response
  return { id, clientDataJSON, authenticatorData, signature, ...(userHandle && { userHandle }) }
}

function throwPasskeyUnused(): never {
  throw new PasskeyUnusedError()
}
