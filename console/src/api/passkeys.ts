import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { ApiError, call } from './client.ts'

const ofPerson = { scope: undefined }

/** Whether this browser has passkeys here: on plain http only for this machine’s own name, and nowhere for a number. */
export const hasPasskeys = () => typeof PublicKeyCredential === 'function' && !isNumber(location.hostname)

const isNumber = (host: string) => /^[\d.]+$/.test(host) || host.includes(':')

/** The browser asks its person which passkey it is, and what opens it. */
export async function signInWithPasskey(): Promise<void> {
  const { result } = await call('POST /v1/sign-in/passkey/begin', {}, ofPerson)
  const credential = await sign(result.options)
  await call('POST /v1/sign-in/passkey', { body: { credential } }, ofPerson)
}

/** Makes the session fresh. */
export async function stepUpWithPasskey(): Promise<void> {
  const { result } = await call('POST /v1/step-up/passkey/begin', {}, ofPerson)
  const credential = await sign(result.options)
  await call('POST /v1/step-up/passkey', { body: { credential } }, ofPerson)
}

export async function addPasskey(name: string): Promise<void> {
  const { result } = await call('POST /v1/passkeys/begin', {}, ofPerson)
  const { startRegistration } = await import('@simplewebauthn/browser')
  // The API returns them as the browser takes them: that is all that its document says of them.
  const optionsJSON = result.options as unknown as PublicKeyCredentialCreationOptionsJSON
  const { id, response } = await startRegistration({ optionsJSON }).catch(unused)
  const { clientDataJSON, attestationObject, transports = [] } = response
  const credential = { id, clientDataJSON, attestationObject, transports }
  await call('POST /v1/passkeys', { body: { name, credential } }, ofPerson)
}

async function sign(options: Record<string, unknown>) {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  // The same.
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON
  const { id, response } = await startAuthentication({ optionsJSON }).catch(unused)
  const { clientDataJSON, authenticatorData, signature, userHandle } = response
  return { id, clientDataJSON, authenticatorData, signature, ...(userHandle && { userHandle }) }
}

/** Browsers do not say why: it was cancelled, took too long, or there is none. */
function unused(): never {
  throw new ApiError(0, { reason: 'passkey_unused', message: '' })
}
