import { useMutation, useQuery } from '@tanstack/preact-query'
import { useEffect, useState } from 'preact/hooks'
import { type ApiError, call, onStepUp } from '../api/client.ts'
import { hasPasskeys, stepUpWithPasskey } from '../api/passkeys.ts'
import { useTexts } from '../text/languages.tsx'
import { inLanguages } from '../text/texts.ts'
import { Dialog } from './form.tsx'
import { ErrorNotice, Loading } from './notices.tsx'

const texts = inLanguages(
  {
    title: 'Show that it is you',
    text: 'This needs a sign-in of the last ten minutes.',
    passkey: 'Use a passkey',
    link: 'Sign in again by link',
    linkNote: 'What you entered here is lost by that.',
    cancel: 'Cancel',
  },
  {
    title: 'Confirmez que c’est vous',
    text: 'Ceci demande une connexion de moins de dix minutes.',
    passkey: 'Utiliser une clé d’accès',
    link: 'Se reconnecter par un lien',
    linkNote: 'Ce que vous avez saisi ici sera perdu.',
    cancel: 'Annuler',
  },
)

type Asked = { resolve(isFresh: boolean): void }

/** Asked once for all calls that wait for it: then they are sent again, as they were. */
export function StepUp() {
  const [asked, setAsked] = useState<Asked>()
  useEffect(() => {
    let waiting: Promise<boolean> | undefined
    return onStepUp(() => {
      waiting ??= new Promise<boolean>((resolve) => setAsked({ resolve })).finally(() => {
        waiting = undefined
        setAsked(undefined)
      })
      return waiting
    })
  }, [])
  return asked ? <StepUpDialog onEnd={asked.resolve} /> : null
}

function StepUpDialog({ onEnd }: { onEnd(isFresh: boolean): void }) {
  const t = useTexts(texts)
  const own = useQuery({
    queryKey: ['own passkeys'],
    queryFn: async () => (await call('GET /v1/passkeys', {}, { scope: undefined })).result.passkeys,
  })
  const step = useMutation<void, ApiError, void>({
    mutationFn: stepUpWithPasskey,
    onSuccess: () => onEnd(true),
  })
  const hasOwn = hasPasskeys() && (own.data?.length ?? 0) > 0
  return (
    <Dialog title={t.title} onClose={() => onEnd(false)}>
      <p>{t.text}</p>
      {own.isPending && <Loading />}
      <ErrorNotice error={step.error} />
      <p>
        <a href={`/console/sign-in?to=${encodeURIComponent(here())}`}>{t.link}</a>. {t.linkNote}
      </p>
      <div class="actions">
        {hasOwn && (
          <button type="button" class="main" disabled={step.isPending} onClick={() => step.mutate()}>
            {t.passkey}
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
