import { api, call } from './client.ts'

const storageKey = 'pesewa.single-sign-on'

/** A request to sign in or step up with the identity provider. `to` is the console page to return to. */
export type SingleSignOnRequest = { kind: 'sign-in' | 'step-up'; to: string }
export type Return = SingleSignOnRequest & { query: string }

/** Returns the display name of the identity provider, or `null` if none is configured. */
export const findIdentityProvider = async (): Promise<string | null> =>
  (await call(api.signIn.ways, [])).data.identityProvider

/** Redirects to the identity provider, and stores the request in this tab until the user returns. */
export async function goToIdentityProvider(request: SingleSignOnRequest): Promise<void> {
  const { data } = await (request.kind === 'sign-in'
    ? call(api.signIn.oidcBegin, [])
    : call(api.stepUp.oidcBegin, []))
  sessionStorage.setItem(storageKey, JSON.stringify(request))
  location.assign(data.url)
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
  if (kind === 'sign-in') await call(api.signIn.oidc, [body])
  else await call(api.stepUp.oidc, [body])
}
