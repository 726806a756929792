import { useMutation, useQuery, useQueryClient } from '@tanstack/preact-query'
import { useEffect, useState } from 'preact/hooks'
import { useLocation, useSearchParams } from 'wouter-preact'
import { type ApiError, call, type ResultOf } from '../../api/client.ts'
import { hasPasskeys, signInWithPasskey } from '../../api/passkeys.ts'
import {
  comeBack,
  findIdentityProvider,
  goToIdentityProvider,
  type Return,
  takeReturn,
} from '../../api/single-sign-on.ts'
import { CodeField, codeIn } from '../../parts/code-field.tsx'
import { Field } from '../../parts/form.tsx'
import { ErrorNotice } from '../../parts/notices.tsx'
import { useTexts } from '../../text/languages.tsx'
import { texts } from './texts.ts'

/** By a link that came by mail or was printed, at the identity provider, with a passkey, or by asking for a link. */
export default function SignIn() {
  const t = useTexts(texts)
  useEffect(() => {
    document.title = `${t.title} · Pesewa`
  }, [t.title])
  return (
    <main class="sign-in">
      <div class="card">
        <h1>{t.title}</h1>
        <Ways />
      </div>
    </main>
  )
}

/** What an address brings along, and where it is redeemed. */
const redeeming = {
  link: 'POST /v1/sign-in/link/redeem',
  invitation: 'POST /v1/sign-in/invitation',
} as const
type SignedIn = ResultOf<'POST /v1/sign-in/link/redeem'>
type Arrival = { kind: keyof typeof redeeming; secret: string }
const isKind = (text: string): text is Arrival['kind'] => text in redeeming

function Ways() {
  const [returned] = useState(takeReturn)
  return returned ? <FromIdentityProvider of={returned} /> : <OwnWays />
}

/** Somebody comes back from the identity provider, to where they wanted to go. */
function FromIdentityProvider({ of }: { of: Return }) {
  const t = useTexts(texts)
  const enter = useEnter(of.to)
  const finish = useMutation<void, ApiError, Return>({ mutationFn: comeBack, onSuccess: enter })
  useEffect(() => finish.mutate(of), [])
  if (!finish.isError) return <p role="status">{t.redeeming}</p>
  return (
    <>
      <ErrorNotice error={finish.error} />
      <OwnWays />
    </>
  )
}

function OwnWays() {
  const t = useTexts(texts)
  const enter = useEnter()
  const redeem = useMutation<SignedIn, ApiError, Arrival>({
    mutationFn: async ({ kind, secret }) =>
      (await call(redeeming[kind], { body: { secret } }, { scope: undefined })).result,
    onSuccess: ({ isCodeNeeded }) => (isCodeNeeded ? undefined : enter()),
  })
  const passkey = useMutation<void, ApiError, void>({ mutationFn: signInWithPasskey, onSuccess: enter })
  useEffect(() => {
    const [, kind = '', secret] = /^#(link|invitation)=(.+)$/.exec(location.hash) ?? []
    if (!secret || !isKind(kind)) return
    // Nobody who looks at the address later finds it there.
    history.replaceState(null, '', location.pathname + location.search)
    redeem.mutate({ kind, secret: decodeURIComponent(secret) })
  }, [])
  if (redeem.data?.isCodeNeeded) return <SecondStep onDone={enter} />
  if (redeem.isPending || redeem.isSuccess) return <p role="status">{t.redeeming}</p>
  return (
    <>
      {redeem.error?.status === 401 ? (
        <p class="notice bad" role="alert">
          {redeem.variables?.kind === 'invitation' ? t.invitationFailed : t.failed}
        </p>
      ) : (
        <ErrorNotice error={redeem.error} />
      )}
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

/** Where this installation has an identity provider. */
function SingleSignOn() {
  const t = useTexts(texts)
  const to = useGoal()
  const { data: name } = useQuery({ queryKey: ['identity provider'], queryFn: findIdentityProvider })
  const go = useMutation<void, ApiError, void>({
    mutationFn: () => goToIdentityProvider({ kind: 'sign-in', to }),
  })
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

/** Where one wanted to go, of this console only. */
function useGoal(): string {
  const [search] = useSearchParams()
  const to = search.get('to') ?? '/'
  return /^\/[\w-]/.test(to) ? to : '/'
}

/** To where one wanted to go. */
function useEnter(to?: string): () => Promise<void> {
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const goal = useGoal()
  return async () => {
    await client.resetQueries({ queryKey: ['me'] })
    navigate(to ?? goal, { replace: true })
  }
}

/** For who has an authenticator app: a link alone signs in nobody. */
function SecondStep({ onDone }: { onDone(): Promise<void> }) {
  const t = useTexts(texts)
  const send = useMutation<unknown, ApiError, string>({
    mutationFn: (code) => call('POST /v1/sign-in/code', { body: { code } }, { scope: undefined }),
    onSuccess: onDone,
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        send.mutate(codeIn(new FormData(event.currentTarget)))
      }}
    >
      <p role="status">{t.codeNeeded}</p>
      <CodeField fault={send.error?.faultOf('code')} />
      <ErrorNotice error={send.error} />
      <button type="submit" class="main" disabled={send.isPending}>
        {t.finish}
      </button>
    </form>
  )
}

function MailLink() {
  const t = useTexts(texts)
  const send = useMutation<unknown, ApiError, string>({
    mutationFn: (email) => call('POST /v1/sign-in/link', { body: { email } }, { scope: undefined }),
  })
  if (send.isSuccess)
    return (
      <p class="notice good" role="status">
        {t.sent}
      </p>
    )
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        send.mutate(String(new FormData(event.currentTarget).get('email')).trim())
      }}
    >
      <Field label={t.email} fault={send.error?.faultOf('email')}>
        {(controls) => (
          <input
            {...controls}
            name="email"
            type="email"
            autoComplete="username webauthn"
            required
            maxLength={254}
          />
        )}
      </Field>
      <ErrorNotice error={send.error} />
      <button type="submit" class="main" disabled={send.isPending}>
        {t.send}
      </button>
    </form>
  )
}
