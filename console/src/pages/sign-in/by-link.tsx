import { useMutation, useQuery } from '@tanstack/preact-query'
import type { ComponentChildren } from 'preact'
import { type ApiError, call, type ResultOf } from '../../api/client.ts'
import { CodeField, codeIn } from '../../parts/code-field.tsx'
import { Field } from '../../parts/form.tsx'
import { ErrorNotice, Loading } from '../../parts/notices.tsx'
import { useTexts } from '../../text/languages.tsx'
import type { LinkSecret } from './link-secret.ts'
import { useGoToRequestedPage } from './requested-page.ts'
import { texts } from './texts.ts'

const calls = {
  link: { preview: 'POST /v1/sign-in/link/preview', redeem: 'POST /v1/sign-in/link/redeem' },
  invitation: { preview: 'POST /v1/sign-in/invitation/preview', redeem: 'POST /v1/sign-in/invitation' },
} as const
type Preview = ResultOf<'POST /v1/sign-in/link/preview'>
type SignedIn = ResultOf<'POST /v1/sign-in/link/redeem'>

const ofNobody = { scope: undefined }

type Props = {
  arrival: LinkSecret
  onLeave(): void
  /** Other ways to sign in, shown if the link does not work. */
  others: ComponentChildren
}

/**
 * Shows which user the link will sign in, and waits for a click, because any website or mail scanner can open a
 * link.
 */
export function ByLink({ arrival: { kind, secret }, onLeave, others }: Props) {
  const t = useTexts(texts)
  const enter = useGoToRequestedPage()
  const preview = useQuery<Preview, ApiError>({
    queryKey: ['link', kind, secret],
    queryFn: async () => (await call(calls[kind].preview, { body: { secret } }, ofNobody)).result,
    refetchOnWindowFocus: false,
    gcTime: 0,
  })
  const redeem = useMutation<SignedIn, ApiError, string | undefined>({
    mutationFn: async (email) =>
      (await call(calls[kind].redeem, { body: { secret, ...(email && { email }) } }, ofNobody)).result,
    onSuccess: ({ isCodeNeeded }) => (isCodeNeeded ? undefined : enter()),
    // Since the preview was loaded, a different user has signed in from another tab.
    onError: ({ status }) => (status === 409 ? preview.refetch() : undefined),
  })
  if (redeem.data?.isCodeNeeded) return <SecondStep onDone={enter} />
  const wrongEmail = redeem.error?.issueOf('email') && t.wrongEmail
  if (preview.error?.status === 401 || (redeem.error?.status === 401 && !wrongEmail))
    return (
      <>
        <p class="notice bad" role="alert">
          {kind === 'invitation' ? t.invitationFailed : t.failed}
        </p>
        {others}
      </>
    )
  if (preview.error)
    return (
      <>
        {/* If the console was opened at the wrong address, the other ways to sign in show the correct one. */}
        {!preview.error.issueOf('Origin') && (
          <ErrorNotice error={preview.error} onRetry={() => void preview.refetch()} />
        )}
        {others}
      </>
    )
  if (!preview.data) return <Loading />
  return (
    <Question
      kind={kind}
      of={preview.data}
      wrongEmail={wrongEmail}
      error={wrongEmail || redeem.error?.status === 409 ? null : redeem.error}
      isBusy={redeem.isPending || redeem.isSuccess}
      onConfirm={redeem.mutate}
      onStay={enter}
      onLeave={onLeave}
    />
  )
}

type QuestionProps = {
  kind: LinkSecret['kind']
  of: Preview
  wrongEmail: string | undefined
  error: ApiError | null
  isBusy: boolean
  onConfirm(email: string | undefined): void
  onStay(): void
  onLeave(): void
}

function Question({ kind, of, wrongEmail, error, isBusy, onConfirm, onStay, onLeave }: QuestionProps) {
  const t = useTexts(texts)
  const { email, spaceName, isEmailNeeded, signedInEmail } = of
  const [before, after] = spaceName === null ? t.signInAs : t.joinAs(spaceName)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        const typed = new FormData(event.currentTarget).get('email')
        onConfirm(typed === null ? undefined : String(typed).trim())
      }}
    >
      <p class="question">
        {before}
        <b>{email}</b>
        {after}
      </p>
      {signedInEmail !== null && (
        <p class="notice" role="alert">
          {t.signsOut(signedInEmail)} {t.notAsked}
        </p>
      )}
      {isEmailNeeded && signedInEmail === null && <p class="notice">{t.askedElsewhere}</p>}
      {isEmailNeeded && (
        <Field label={t.email} hint={t.typeWhole} issue={wrongEmail}>
          {(controls) => (
            <input {...controls} name="email" type="email" autoComplete="off" required maxLength={254} />
          )}
        </Field>
      )}
      <ErrorNotice error={error} />
      <div class="actions">
        {signedInEmail !== null && (
          <button type="button" class="main" onClick={onStay}>
            {t.stay}
          </button>
        )}
        <button type="submit" class={signedInEmail === null ? 'main' : ''} disabled={isBusy}>
          {signedInEmail !== null ? t.change : kind === 'invitation' ? t.join : t.signIn}
        </button>
        {signedInEmail === null && (
          <button type="button" class="quiet" onClick={onLeave}>
            {t.otherWays}
          </button>
        )}
      </div>
    </form>
  )
}

/** Asks for a code. Shown to users who have an authenticator app. */
function SecondStep({ onDone }: { onDone(): Promise<void> }) {
  const t = useTexts(texts)
  const send = useMutation<unknown, ApiError, string>({
    mutationFn: (code) => call('POST /v1/sign-in/code', { body: { code } }, ofNobody),
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
      <CodeField issue={send.error?.issueOf('code')} />
      <ErrorNotice error={send.error} />
      <button type="submit" class="main" disabled={send.isPending}>
        {t.signIn}
      </button>
    </form>
  )
}
