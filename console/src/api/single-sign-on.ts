import { call } from './client.ts'

const ofPerson = { scope: undefined }
const storedAs = 'pesewa.single-sign-on'

/** What somebody is sent to the identity provider for. `to`: where in this console they go on. */
export type Errand = { kind: 'sign-in' | 'step-up'; to: string }
export type Return = Errand & { query: string }

/** What people know the identity provider by, where there is one. */
export const findIdentityProvider = async (): Promise<string | null> =>
  (await call('POST /v1/sign-in/ways', {}, ofPerson)).result.identityProvider

/** Leaves this page: whoever comes back finds what they came for in this tab. */
export async function goToIdentityProvider(errand: Errand): Promise<void> {
  const { result } = await (errand.kind === 'sign-in'
    ? call('POST /v1/sign-in/oidc/begin', {}, ofPerson)
    : call('POST /v1/step-up/oidc/begin', {}, ofPerson))
  sessionStorage.setItem(storedAs, JSON.stringify(errand))
  location.assign(result.url)
}

/** What a browser comes back with, once: nobody who looks at the address later finds it there. */
export function takeReturn(): Return | undefined {
  const query = location.search.slice(1)
  const stored = sessionStorage.getItem(storedAs)
  if (!new URLSearchParams(query).has('state') || stored === null) return undefined
  sessionStorage.removeItem(storedAs)
  history.replaceState(null, '', location.pathname)
  // What this page has written there itself.
  return { ...(JSON.parse(stored) as Errand), query }
}

export async function comeBack({ kind, query }: Return): Promise<void> {
  const body = { query }
  if (kind === 'sign-in') await call('POST /v1/sign-in/oidc', { body }, ofPerson)
  else await call('POST /v1/step-up/oidc', { body }, ofPerson)
}
