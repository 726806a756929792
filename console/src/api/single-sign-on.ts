import { call } from './client.ts'

const outsideSpace = { scope: undefined }
const storageKey = 'pesewa.single-sign-on'

/** A request to sign in or step up with the identity provider. `to` is the console page to return to. */
export type SingleSignOnRequest = { kind: 'sign-in' | 'step-up'; to: string }
export type Return = SingleSignOnRequest & { query: string }

/** Returns the display name of the identity provider, or `null` if none is configured. */
export const findIdentityProvider = async (): Promise<string | null> =>
  (await call('POST /v1/sign-in/ways', {}, outsideSpace)).result.identityProvider

/** Redirects to the identity provider, and stores the request in this tab until the user returns. */
export async function goToIdentityProvider(request: SingleSignOnRequest): Promise<void> {
  const { result } = await (request.kind === 'sign-in'
    ? call('POST /v1/sign-in/oidc/begin', {}, outsideSpace)
    : call('POST /v1/step-up/oidc/begin', {}, outsideSpace))
  sessionStorage.setItem(storageKey, JSON.stringify(request))
  location.assign(result.url)
}

/**
 * Returns the identity provider's response from the URL, and removes it from the address bar and the history so
 * that it is used only once.
 */
export function takeReturn(): Return | undefined {
  const query = location.search.slice(1)
  const stored = sessionStorage.getItem(storageKey)
  if (!new URLSearchParams(query).has('state') || stored === null) return undefined
  sessionStorage.removeItem(storageKey)
  history.replaceState(null, '', location.pathname)
  // Safe: `goToIdentityProvider` stored this value.
  return { ...(JSON.parse(stored) as SingleSignOnRequest), query }
}

export async function completeReturn({ kind, query }: Return): Promise<void> {
  const body = { query }
  if (kind === 'sign-in') await call('POST /v1/sign-in/oidc', { body }, outsideSpace)
  else await call('POST /v1/step-up/oidc', { body }, outsideSpace)
}
