import { call } from './client.ts'

const ofPerson = { scope: undefined }
const storedAs = 'pesewa.single-sign-on'

/** Why the user is sent to the identity provider. `to` is the console page to return to. */
export type Errand = { kind: 'sign-in' | 'step-up'; to: string }
export type Return = Errand & { query: string }

/** Returns the display name of the identity provider, if one is configured. */
export const findIdentityProvider = async (): Promise<string | null> =>
  (await call('POST /v1/sign-in/ways', {}, ofPerson)).result.identityProvider

/** Leaves this page. The errand is kept in this tab for the return. */
export async function goToIdentityProvider(errand: Errand): Promise<void> {
  const { result } = await (errand.kind === 'sign-in'
    ? call('POST /v1/sign-in/oidc/begin', {}, ofPerson)
    : call('POST /v1/step-up/oidc/begin', {}, ofPerson))
  sessionStorage.setItem(storedAs, JSON.stringify(errand))
  location.assign(result.url)
}

/** Takes the query of the return once, and removes it from the address bar and history. */
export function takeReturn(): Return | undefined {
  const query = location.search.slice(1)
  const stored = sessionStorage.getItem(storedAs)
  if (!new URLSearchParams(query).has('state') || stored === null) return undefined
  sessionStorage.removeItem(storedAs)
  history.replaceState(null, '', location.pathname)
  // Written by this page.
  return { ...(JSON.parse(stored) as Errand), query }
}

export async function comeBack({ kind, query }: Return): Promise<void> {
  const body = { query }
  if (kind === 'sign-in') await call('POST /v1/sign-in/oidc', { body }, ofPerson)
  else await call('POST /v1/step-up/oidc', { body }, ofPerson)
}
