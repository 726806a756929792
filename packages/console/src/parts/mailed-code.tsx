import { useMutation } from '@tanstack/preact-query'
import { api, call } from '../api/client.ts'
import { ApiError, issueAt } from '../api/errors.ts'
import { createTexts } from '../text/languages.tsx'
import { codeIn } from './code-field.tsx'
import { Field } from './field.tsx'
import { ErrorNotice } from './notices.tsx'

const useTexts = createTexts(
  {
    text: 'We’ll email you a six-digit code.',
    send: 'Email me a code',
    sent: (email: string) => `We sent a code to ${email}. It works for ten minutes.`,
    shown: (code: string) => `There is no mail server, so here is the code: ${code}`,
    code: 'Code',
    hint: 'The six digits from the email.',
    confirm: 'Confirm',
    again: 'Send a new code',
  },
  {
    text: 'Nous vous enverrons un code à six chiffres par e-mail.',
    send: 'M’envoyer un code',
    sent: (email: string) => `Un code a été envoyé à ${email}. Il est valable dix minutes.`,
    shown: (code: string) => `Aucun serveur de messagerie n’est configuré ; voici le code : ${code}`,
    code: 'Code',
    hint: 'Les six chiffres reçus par e-mail.',
    confirm: 'Confirmer',
    again: 'Envoyer un nouveau code',
  },
)

/** Lets users without a passkey or an authenticator app confirm their identity with a code sent by email. */
export function MailedCode({ onDone }: { onDone(): void }) {
  const t = useTexts()
  const begin = useMutation({ mutationFn: async () => (await call(api.stepUp.mailBegin, [])).data })
  const confirm = useMutation<unknown, Error, string>({
    mutationFn: (code) => call(api.stepUp.mail, [{ code }]),
    onSuccess: onDone,
  })
  const send = () => {
    confirm.reset()
    begin.mutate()
  }
  const sent = begin.data
  if (!sent)
    return (
      <>
        <p>{t.text}</p>
        <ErrorNotice error={begin.error} />
        <p>
          <button
            type="button"
            class="main"
            ref={(button) => button?.focus()}
            disabled={begin.isPending}
            onClick={send}
          >
            {t.send}
          </button>
        </p>
      </>
    )
  const { email, code } = sent
  const { error } = confirm
  const wrong = error instanceof ApiError && error.reason === 'sign_in_failed' ? error.summary : undefined
  const issue = wrong ?? issueAt(error, 'code')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        confirm.mutate(codeIn(new FormData(event.currentTarget)))
      }}
    >
      <p role="status">{code === null ? t.sent(email) : t.shown(code.replace(/^.../, '$& '))}</p>
      <Field label={t.code} hint={code === null ? t.hint : undefined} name="code" issue={issue}>
        {(controls) => (
          <input
            {...controls}
            // Recreated for each code, so that a wrong one does not have to be deleted.
            key={sent.expireTime}
            ref={(input) => input?.focus()}
            inputMode="numeric"
            autoComplete="one-time-code"
            pattern="\s*\d{3}\s?\d{3}\s*"
            maxLength={10}
            required
          />
        )}
      </Field>
      <ErrorNotice error={(wrong ? null : error) ?? begin.error} />
      <div class="actions">
        <button type="submit" class="main" disabled={confirm.isPending}>
          {t.confirm}
        </button>
        <button type="button" class="quiet" disabled={begin.isPending} onClick={send}>
          {t.again}
        </button>
      </div>
    </form>
  )
}
