import { useMutation, useQuery } from '@tanstack/preact-query'
import { api, call } from '../api/client.ts'
import { issueAt } from '../api/errors.ts'
import { hasPasskeys, stepUpWithPasskey } from '../api/passkeys.ts'
import { findIdentityProvider, goToIdentityProvider } from '../api/single-sign-on.ts'
import { createTexts } from '../text/languages.tsx'
import { CodeField, codeIn } from './code-field.tsx'
import { Dialog } from './dialog.tsx'
import { MailedCode } from './mailed-code.tsx'
import { ErrorNotice, Loading } from './notices.tsx'

const useTexts = createTexts(
  {
    title: 'Confirm it’s you',
    text: 'To do this, you must have signed in within the last ten minutes.',
    passkey: 'Use a passkey',
    link: 'Sign in again with an email link',
    linkNote: 'If you leave this page, you will lose what you entered.',
    singleSignOn: (name: string) => `Sign in again with ${name}`,
    confirm: 'Confirm',
    cancel: 'Cancel',
  },
  {
    title: 'Confirmez que c’est vous',
    text: 'Cette action nécessite une connexion datant de moins de dix minutes.',
    passkey: 'Utiliser une clé d’accès',
    link: 'Se reconnecter avec un lien par e-mail',
    linkNote: 'Si vous quittez cette page, votre saisie sera perdue.',
    singleSignOn: (name: string) => `Se reconnecter avec ${name}`,
    confirm: 'Confirmer',
    cancel: 'Annuler',
  },
)

/** The dialog in which the user confirms their identity. */
export default function StepUpDialog({ onEnd }: { onEnd(isFresh: boolean): void }) {
  const t = useTexts()
  const methods = useQuery({
    queryKey: ['step-up methods'],
    queryFn: async () => {
      const [passkeys, totp, { data }] = await Promise.all([
        call(api.passkeys.retrieve, []),
        call(api.totp.retrieve, []),
        call(api.sessions.retrieve, []),
      ])
      const current = data.sessions.find(({ isCurrent }) => isCurrent)
      const hasPasskey = passkeys.data.passkeys.length > 0
      const hasApp = totp.data.isEnabled
      const isBySingleSignOn = current?.method === 'oidc'
      return {
        hasPasskey,
        hasApp,
        // The service does not mail codes to users who have a safer method.
        hasMail: !hasPasskey && !hasApp && !isBySingleSignOn,
        identityProvider: isBySingleSignOn ? await findIdentityProvider() : null,
      }
    },
  })
  const goThere = useMutation<void, Error, void>({
    mutationFn: () => goToIdentityProvider({ kind: 'step-up', to: here() }),
  })
  const step = useMutation<void, Error, void>({
    mutationFn: stepUpWithPasskey,
    onSuccess: () => onEnd(true),
  })
  const sendCode = useMutation<unknown, Error, string>({
    mutationFn: (code) => call(api.stepUp.code, [{ code }]),
    onSuccess: () => onEnd(true),
  })
  return (
    <Dialog title={t.title} onClose={() => onEnd(false)}>
      <p>{t.text}</p>
      {methods.isPending && <Loading />}
      <ErrorNotice error={methods.error ?? step.error ?? goThere.error} />
      {methods.data?.hasMail && <MailedCode onDone={() => onEnd(true)} />}
      {methods.data?.hasApp && (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            sendCode.mutate(codeIn(new FormData(event.currentTarget)))
          }}
        >
          <CodeField issue={issueAt(sendCode.error, 'code')} />
          <ErrorNotice error={sendCode.error} />
          <button type="submit" disabled={sendCode.isPending}>
            {t.confirm}
          </button>
        </form>
      )}
      {!methods.isPending && (
        <p class="muted">
          <a href={`/console/sign-in?to=${encodeURIComponent(here())}`}>{t.link}</a>. {t.linkNote}
        </p>
      )}
      <div class="actions">
        {hasPasskeys() && methods.data?.hasPasskey && (
          <button type="button" class="main" disabled={step.isPending} onClick={() => step.mutate()}>
            {t.passkey}
          </button>
        )}
        {methods.data?.identityProvider && (
          <button type="button" class="main" disabled={goThere.isPending} onClick={() => goThere.mutate()}>
            {t.singleSignOn(methods.data.identityProvider)}
          </button>
        )}
        <button type="button" class="quiet" onClick={() => onEnd(false)}>
          {t.cancel}
        </button>
      </div>
    </Dialog>
  )
}

const here = () => location.pathname.replace(/^\/console/, '') + location.search
