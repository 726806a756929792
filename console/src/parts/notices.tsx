import { useContext } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { ApiError } from '../api/client.ts'
import { HereContext, mayIn } from '../api/scope.tsx'
import { useTexts } from '../text/languages.tsx'
import { useRefusalWords } from '../text/refusals.ts'
import { inLanguages } from '../text/texts.ts'

const texts = inLanguages(
  {
    loading: 'Loading …',
    unreachable: 'The service cannot be reached. Check your connection.',
    failed: 'This did not work.',
    seeFields: 'Some of what you entered cannot be accepted: see the marked fields.',
    invalid: 'Some of what you entered cannot be accepted.',
    passkeyUnused: 'No passkey was used: it was cancelled, took too long, or there is none here.',
    request: 'Request',
    retry: 'Try again',
    stepUp: 'This needs a fresh sign-in: sign in again, and do it within ten minutes.',
    signInAgain: 'Sign in again',
  },
  {
    loading: 'Chargement …',
    unreachable: 'Le service est injoignable. Vérifiez votre connexion.',
    failed: 'Cela n’a pas fonctionné.',
    seeFields: 'Certaines saisies ne conviennent pas : voyez les champs marqués.',
    invalid: 'Certaines saisies ne conviennent pas.',
    passkeyUnused: 'Aucune clé d’accès n’a été utilisée : annulation, délai dépassé, ou aucune ici.',
    request: 'Requête',
    retry: 'Réessayer',
    stepUp: 'Ceci demande une connexion récente : reconnectez-vous, puis faites-le dans les dix minutes.',
    signInAgain: 'Se reconnecter',
  },
)

export function Loading() {
  return (
    <p class="loading" role="status">
      {useTexts(texts).loading}
    </p>
  )
}

/** What was refused, and the id under which it is found again. Faults of fields stand beside their fields. */
export function ErrorNotice({ error, onRetry }: { error: ApiError | null; onRetry?: () => void }) {
  const t = useTexts(texts)
  const inWords = useRefusalWords()
  if (!error) return null
  return (
    <div class="notice bad" role="alert">
      <p>{error.isShown() ? t.seeFields : inWords(wordsOf(error, t))}</p>
      {error.reason === 'step_up_required' && (
        <p>
          <a href={`/console/sign-in?to=${encodeURIComponent(location.pathname.replace(/^\/console/, ''))}`}>
            {t.signInAgain}
          </a>
        </p>
      )}
      {unexplained(error).map(({ param, errors }) => (
        <p key={param}>
          {param}: {errors.map(inWords).join('; ')}
        </p>
      ))}
      {error.requestId && (
        <p class="muted">
          {t.request} <RequestLink id={error.requestId} />
        </p>
      )}
      {onRetry && (
        <button type="button" onClick={onRetry}>
          {t.retry}
        </button>
      )}
    </div>
  )
}

/** What the sentence above has not said, nor any field. */
const unexplained = (error: ApiError) =>
  error.unshown().filter(({ errors }) => !errors.includes(error.message))

/** Some refusals are shown where no Space is chosen yet. */
function RequestLink({ id }: { id: string }) {
  const here = useContext(HereContext)
  if (!here || !mayIn(here, 'requests:read')) return <>{id}</>
  return <Link href={`/requests/${id}`}>{id}</Link>
}

function wordsOf(error: ApiError, t: (typeof texts)['en']): string {
  if (error.reason === 'passkey_unused') return t.passkeyUnused
  if (error.status === 0) return t.unreachable
  if (error.reason === 'arguments_invalid') return t.invalid
  return error.reason === 'step_up_required' ? t.stepUp : error.message || t.failed
}
