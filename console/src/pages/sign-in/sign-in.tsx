import { useMutation, useQueryClient } from '@tanstack/preact-query'
import { useEffect } from 'preact/hooks'
import { useLocation, useSearchParams } from 'wouter-preact'
import { type ApiError, call, type ResultOf } from '../../api/client.ts'
import { hasPasskeys, signInWithPasskey } from '../../api/passkeys.ts'
import { CodeField, codeIn } from '../../parts/code-field.tsx'
import { Field } from '../../parts/form.tsx'
import { ErrorNotice } from '../../parts/notices.tsx'
import { useTexts } from '../../text/languages.tsx'
import { texts } from './texts.ts'

/** By a link that came by mail or was printed, or by asking for one. */
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

/** To where one wanted to go. */
function useEnter(): () => Promise<void> {
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const [search] = useSearchParams()
  return async () => {
    await client.resetQueries({ queryKey: ['me'] })
    const wanted = search.get('to') ?? '/'
    // Of this console only.
    navigate(/^\/[\w-]/.test(wanted) ? wanted : '/', { replace: true })
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
