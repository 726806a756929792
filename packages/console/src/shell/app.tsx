import { useQuery } from '@tanstack/preact-query'
import type { ComponentChildren } from 'preact'
import { Link, Redirect, Route, Router, Switch, useLocation } from 'wouter-preact'
import { api, call, type Environment } from '../api/client.ts'
import { statusOf } from '../api/errors.ts'
import { CurrentSpaceContext, hasPermission, type Me, useCurrentSpace } from '../api/scope.tsx'
import { type LoadPage, loadPage } from '../pages/pages.ts'
import { addresses, hasPath } from '../parts/addresses.ts'
import { Boundary, lazyComponent } from '../parts/code-loading.tsx'
import { DeadEnd, ErrorPage } from '../parts/dead-end.tsx'
import { openPage } from '../parts/leaving.ts'
import { Loading } from '../parts/notices.tsx'
import { StepUp } from '../parts/step-up.tsx'
import { CountryContext } from '../text/format.tsx'
import { Frame } from './frame.tsx'
import { useTexts } from './texts.ts'

const loadSignIn = () => import('../pages/sign-in/sign-in.tsx')

function SignIn() {
  const Loaded = lazyComponent(loadSignIn)
  return (
    <Boundary>
      <Loaded />
    </Boundary>
  )
}

/** Loads the code of the requested page while the user is still being read. */
function preloadPage(): void {
  const path = location.pathname.replace(/^\/console\/?(?:[^/]+\/[^/]+)?/, '') || '/'
  const page = addresses.find((address) => hasPath(address, path))
  // If this fails, the page itself loads its code again and shows an error.
  if (page) loadPage[page.path]().catch(() => {})
}
preloadPage()

/** Shows the pages of a Space to signed-in users, and the sign-in page to everyone else. */
export function App() {
  // Permissions are read for the live environment, because installation permissions are read-only in the test
  // environment.
  const me = useQuery<Me>({
    queryKey: ['me'],
    queryFn: async ({ signal }) =>
      (await call(api.me.retrieve, [], { scope: { environment: 'live' }, signal })).data,
  })
  return (
    <Router base="/console" aroundNav={openPage}>
      <Switch>
        <Route path="/sign-in">
          <SignIn />
        </Route>
        <Route>
          {statusOf(me.error) === 401 ? <ToSignIn /> : <SignedIn me={me.data} error={me.error} />}
        </Route>
      </Switch>
    </Router>
  )
}

/** Redirects to the sign-in page and remembers the requested page. */
function ToSignIn() {
  const requestedPage = location.pathname.replace(/^\/console/, '') + location.search
  return (
    <Redirect
      to={`/sign-in${requestedPage.length > 1 ? `?to=${encodeURIComponent(requestedPage)}` : ''}`}
      replace
    />
  )
}

function SignedIn({ me, error }: { me: Me | undefined; error: Error | null }) {
  const t = useTexts()
  if (error)
    return (
      <WithoutMenu>
        <ErrorPage error={error} />
      </WithoutMenu>
    )
  if (!me) return <Loading />
  const [first] = me.spaces
  if (!first)
    return (
      <WithoutMenu>
        <DeadEnd title={t.noSpace}>
          <p>{t.askForInvitation(me.user.email)}</p>
        </DeadEnd>
      </WithoutMenu>
    )
  return (
    <Switch>
      <Route path="/:space/:environment" nest>
        {(params: { space: string; environment: string }) => (
          <InSpace me={me} spaceId={params.space} environment={params.environment} />
        )}
      </Route>
      <Route>
        <Redirect to={`/${first.id}/test`} replace />
      </Route>
    </Switch>
  )
}

/** A page outside any Space, without the menu. */
const WithoutMenu = ({ children }: { children: ComponentChildren }) => <main id="content">{children}</main>

const isEnvironment = (text: string): text is Environment => text === 'test' || text === 'live'

type InSpaceProps = { me: Me; spaceId: string; environment: string }

function InSpace({ me, spaceId, environment }: InSpaceProps) {
  const t = useTexts()
  const [place] = useLocation()
  const space = me.spaces.find(({ id }) => id === spaceId)
  if (!space || !isEnvironment(environment))
    return (
      <WithoutMenu>
        <DeadEnd title={t.notFound}>
          <p>
            <Link href="~/console">{t.yourSpaces}</Link>
          </p>
        </DeadEnd>
      </WithoutMenu>
    )
  const here = { me, space, scope: { spaceId, environment } }
  const isAllowed = (permission: string | undefined) => !permission || hasPermission(here, permission)
  return (
    <CurrentSpaceContext.Provider value={here} key={`${spaceId} ${environment}`}>
      <CountryContext.Provider value={space.country}>
        <StepUp />
        <Frame>
          <Boundary place={place}>
            <Switch>
              {addresses.map(({ path, permission }) => (
                <Route path={path} key={path}>
                  {isAllowed(permission) ? (
                    <Page load={loadPage[path]} ofInstallation={permission === 'installation:read'} />
                  ) : (
                    <DeadEnd title={t.notAllowed} />
                  )}
                </Route>
              ))}
              <Route>
                <DeadEnd title={t.notFound} />
              </Route>
            </Switch>
          </Boundary>
        </Frame>
      </CountryContext.Provider>
    </CurrentSpaceContext.Provider>
  )
}

/**
 * Loads the code of a page on the first visit. The installation is the same in both environments, and its pages
 * call the API in the live environment.
 */
function Page({ load, ofInstallation }: { load: LoadPage; ofInstallation: boolean }) {
  const here = useCurrentSpace()
  const Loaded = lazyComponent(load)
  if (!ofInstallation) return <Loaded />
  return (
    <CurrentSpaceContext.Provider value={{ ...here, scope: { ...here.scope, environment: 'live' } }}>
      <Loaded />
    </CurrentSpaceContext.Provider>
  )
}
