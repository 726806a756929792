import { type UseMutationResult, useMutation, useQuery } from '@tanstack/preact-query'
import type { ComponentChildren } from 'preact'
import { api, call, type ResultOf } from '../../api/client.ts'
import { issueAt, statusOf } from '../../api/errors.ts'
import { CodeField } from '../../parts/code-field.tsx'
import { Form, FormError, TextField } from '../../parts/form.tsx'
import { ErrorNotice, Loading } from '../../parts/notices.tsx'
import type { LinkSecret } from './link-secret.ts'
import { useGoToRequestedPage } from './requested-page.ts'
import { useTexts } from './texts.ts'

const calls = {
  link: { preview: api.signIn.linkPreview, redeem: api.signIn.linkRedeem },
  invitation: { preview: api.signIn.invitationPreview, redeem: api.signIn.invitation },
} as const
type Preview = ResultOf<typeof api.signIn.linkPreview>
type SignedIn = ResultOf<typeof api.signIn.linkRedeem>

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
  const t = useTexts()
  const enter = useGoToRequestedPage()
  const preview = useQuery<Preview>({
    queryKey: ['link', kind, secret],
    queryFn: async () => (await call(calls[kind].preview, [{ secret }])).data,
    refetchOnWindowFocus: false,
    gcTime: 0,
  })
  const redeem = useMutation<SignedIn, Error, string>({
    mutationFn: async (email) => (await call(calls[kind].redeem, [{ secret, ...(email && { email }) }])).data,
    onSuccess: ({ isCodeNeeded }) => (isCodeNeeded ? undefined : enter()),
    // Since the preview was loaded, a different user has signed in from another tab.
    onError: (error) => (statusOf(error) === 409 ? preview.refetch() : undefined),
  })
  if (redeem.data?.isCodeNeeded) return <SecondStep onDone={enter} />
  if (statusOf(preview.error) === 401 || (statusOf(redeem.error) === 401 && !issueAt(redeem.error, 'email')))
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
        {!issueAt(preview.error, 'Origin') && (
          <ErrorNotice error={preview.error} onRetry={() => void preview.refetch()} />
        )}
        {others}
      </>
    )
  if (!preview.data) return <Loading />
  return <Question {...{ kind, redeem, onLeave }} of={preview.data} onStay={enter} />
}

type QuestionProps = {
  kind: LinkSecret['kind']
  of: Preview
  /** Signs in with the link. `email` is what the user typed, or undefined if the page did not show the field. */
  redeem: UseMutationResult<SignedIn, Error, string>
  onStay(): void
  onLeave(): void
}

function Question({ kind, of, redeem, onStay, onLeave }: QuestionProps) {
  const t = useTexts()
  const { email, spaceName, role, isEmailNeeded, signedInEmail } = of
  const [before, after] =
    spaceName === null ? t.signInAs : t.joinAs(spaceName, t.roles[role ?? ''] ?? role ?? '')
  const wrongEmail = issueAt(redeem.error, 'email') && t.wrongEmail
  const isShown = redeem.error && !wrongEmail && statusOf(redeem.error) !== 409
  const isBusy = redeem.isPending || redeem.isSuccess
  return (
    <Form send={redeem} read={(form) => form.text('email')}>
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
        <TextField
          name="email"
          type="email"
          label={t.email}
          hint={t.typeWhole}
          issue={wrongEmail}
          max={254}
          isRequired
        />
      )}
      {isShown && <ErrorNotice error={redeem.error} />}
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
    </Form>
  )
}

/** Asks for a code. Shown to users who have an authenticator app. */
function SecondStep({ onDone }: { onDone(): Promise<void> }) {
  const t = useTexts()
  const send = useMutation<unknown, Error, string>({
    mutationFn: (code) => call(api.signIn.code, [{ code }]),
    onSuccess: onDone,
  })
  return (
    <Form send={send} read={(form) => form.text('code')}>
      <p role="status">{t.codeNeeded}</p>
      <CodeField />
      <FormError />
      <button type="submit" class="main" disabled={send.isPending}>
        {t.signIn}
      </button>
    </Form>
  )
}
