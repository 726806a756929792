import { useMutation, useQuery } from '@tanstack/preact-query'
import { useEffect, useState } from 'preact/hooks'
import { api, call } from '../../api/client.ts'
import { issueAt } from '../../api/errors.ts'
import { hasPasskeys, signInWithPasskey } from '../../api/passkeys.ts'
import {
  completeReturn,
  findIdentityProvider,
  goToIdentityProvider,
  type Return,
  takeReturn,
} from '../../api/single-sign-on.ts'
import { Field } from '../../parts/field.tsx'
import { Form, FormError } from '../../parts/form.tsx'
import { ErrorNotice } from '../../parts/notices.tsx'
import { ByLink } from './by-link.tsx'
import { useLinkSecret } from './link-secret.ts'
import { useGoToRequestedPage, useRequestedPage } from './requested-page.ts'
import { useTexts } from './texts.ts'

/** The sign-in page. Users sign in with a link, single sign-on or a passkey, or request a link by email. */
export default function SignIn() {
  const t = useTexts()
  useEffect(() => {
    document.title = `${t.title} · Pesewa`
  }, [t.title])
  return (
    <main class="sign-in">
      <div class="card">
        <h1>{t.title}</h1>
        <SignInMethods />
      </div>
    </main>
  )
}

/** Shows the ways to sign in. A link in the URL takes precedence, even if the page was already open. */
function SignInMethods() {
  const [returned] = useState(takeReturn)
  const [arrival, leave] = useLinkSecret()
  // The component is recreated for each link, so that input is not carried over.
  if (arrival)
    return <ByLink arrival={arrival} onLeave={leave} others={<OwnSignInMethods />} key={arrival.secret} />
  return returned ? <FromIdentityProvider of={returned} /> : <OwnSignInMethods />
}

/** Completes single sign-on and opens the requested page. */
function FromIdentityProvider({ of }: { of: Return }) {
  const t = useTexts()
  const enter = useGoToRequestedPage(of.to)
  const finish = useMutation<void, Error, Return>({ mutationFn: completeReturn, onSuccess: enter })
  useEffect(() => finish.mutate(of), [])
  if (!finish.isError) return <p role="status">{t.redeeming}</p>
  return (
    <>
      <ErrorNotice error={finish.error} />
      <OwnSignInMethods />
    </>
  )
}

function OwnSignInMethods() {
  const t = useTexts()
  const enter = useGoToRequestedPage()
  const passkey = useMutation<void, Error, void>({ mutationFn: signInWithPasskey, onSuccess: enter })
  return (
    <>
      <SingleSignOn />
      {hasPasskeys() && (
        <>
          <ErrorNotice error={passkey.error} />
          <button type="button" disabled={passkey.isPending} onClick={() => passkey.mutate()}>
            {t.passkey}
          </button>
          <p class="muted">{t.or}</p>
        </>
      )}
      <MailLink />
    </>
  )
}

/** The button for single sign-on, which is shown only if an identity provider is configured. */
function SingleSignOn() {
  const t = useTexts()
  const to = useRequestedPage()
  const { data: name, error } = useQuery<string | null>({
    queryKey: ['identity provider'],
    queryFn: findIdentityProvider,
  })
  const go = useMutation<void, Error, void>({
    mutationFn: () => goToIdentityProvider({ kind: 'sign-in', to }),
  })
  const origin = issueAt(error, 'Origin')?.replace('must be ', '')
  if (origin) return <WrongAddress origin={origin} />
  if (!name) return null
  return (
    <>
      <ErrorNotice error={go.error} />
      <button type="button" class="main" disabled={go.isPending} onClick={() => go.mutate()}>
        {t.singleSignOn(name)}
      </button>
      <p class="muted">{t.or}</p>
    </>
  )
}

/**
 * Shows the correct URL of the console. The service refuses requests from other origins, even if they point to
 * the same server.
 */
function WrongAddress({ origin }: { origin: string }) {
  const t = useTexts()
  return (
    <p class="notice bad" role="alert">
      {t.elsewhere} <a href={`${origin}/console`}>{`${origin}/console`}</a>
    </p>
  )
}

function MailLink() {
  const t = useTexts()
  const send = useMutation<unknown, Error, string>({
    mutationFn: (email) => call(api.signIn.link, [{ email }]),
  })
  if (send.isSuccess)
    return (
      <p class="notice good" role="status">
        {t.sent}
      </p>
    )
  return (
    <Form send={send} read={(form) => form.text('email')}>
      <Field name="email" label={t.email}>
        {(controls) => (
          <input {...controls} type="email" autoComplete="username webauthn" required maxLength={254} />
        )}
      </Field>
      <FormError />
      <button type="submit" class="main" disabled={send.isPending}>
        {t.send}
      </button>
    </Form>
  )
}
