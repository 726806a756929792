import { useMutation, useQueryClient } from '@tanstack/preact-query'
import { useEffect } from 'preact/hooks'
import { useLocation, useSearchParams } from 'wouter-preact'
import { type ApiError, call } from '../../api/client.ts'
import { hasPasskeys, signInWithPasskey } from '../../api/passkeys.ts'
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

function Ways() {
  const t = useTexts(texts)
  const enter = useEnter()
  const redeem = useMutation<unknown, ApiError, string>({
    mutationFn: (secret) => call('POST /v1/sign-in/link/redeem', { body: { secret } }, { scope: undefined }),
    onSuccess: enter,
  })
  const passkey = useMutation<void, ApiError, void>({ mutationFn: signInWithPasskey, onSuccess: enter })
  useEffect(() => {
    const [, secret] = /^#link=(.+)$/.exec(location.hash) ?? []
    if (!secret) return
    // Nobody who looks at the address later finds it there.
    history.replaceState(null, '', location.pathname + location.search)
    redeem.mutate(decodeURIComponent(secret))
  }, [])
  if (redeem.isPending || redeem.isSuccess) return <p role="status">{t.redeeming}</p>
  return (
    <>
      {redeem.error?.status === 401 ? (
        <p class="notice bad" role="alert">
          {t.failed}
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
