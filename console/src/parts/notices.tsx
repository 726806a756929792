import { useContext } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { ApiError } from '../api/client.ts'
import { CurrentSpaceContext, hasPermission } from '../api/scope.tsx'
import { useTexts } from '../text/languages.tsx'
import { useRefusalTranslation } from '../text/refusals.ts'
import { inLanguages } from '../text/texts.ts'

const texts = inLanguages(
  {
    loading: 'Loading…',
    unreachable: 'The service cannot be reached. Check your connection.',
    failed: 'Something went wrong.',
    seeFields: 'Some values are invalid. Check the highlighted fields.',
    invalid: 'Some values are invalid.',
    passkeyUnused:
      'No passkey was used. You may have cancelled or taken too long, or there may be no passkey on this device.',
    request: 'Request',
    retry: 'Try again',
    stepUp: 'Sign in again, then retry within ten minutes.',
    signInAgain: 'Sign in again',
  },
  {
    loading: 'Chargement…',
    unreachable: 'Le service est injoignable. Vérifiez votre connexion.',
    failed: 'Une erreur s’est produite.',
    seeFields: 'Certaines valeurs ne sont pas valides. Vérifiez les champs signalés.',
    invalid: 'Certaines valeurs ne sont pas valides.',
    passkeyUnused:
      'Aucune clé d’accès n’a été utilisée : opération annulée, délai dépassé ou aucune clé d’accès sur cet appareil.',
    request: 'Requête',
    retry: 'Réessayer',
    stepUp: 'Reconnectez-vous, puis réessayez dans les dix minutes.',
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

/** Shows an error and its request ID. Errors that concern a form field are shown next to the field instead. */
export function ErrorNotice({ error, onRetry }: { error: ApiError | null; onRetry?: () => void }) {
  const t = useTexts(texts)
  const translate = useRefusalTranslation()
  if (!error) return null
  return (
    <div class="notice bad" role="alert">
      <p>{error.isFullyShown() ? t.seeFields : translate(messageOf(error, t))}</p>
      {error.reason === 'step_up_required' && (
        <p>
          <a href={`/console/sign-in?to=${encodeURIComponent(location.pathname.replace(/^\/console/, ''))}`}>
            {t.signInAgain}
          </a>
        </p>
      )}
      {unshownDetails(error).map(({ param, errors }) => (
        <p key={param}>
          {param}: {errors.map(translate).join('; ')}
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

/** Returns the error details that are shown neither in the message nor next to a field. */
const unshownDetails = (error: ApiError) =>
  error.unshownIssues().filter(({ errors }) => !errors.includes(error.message))

/** The request ID, with a link if a Space has been chosen and the user may see its requests. */
function RequestLink({ id }: { id: string }) {
  const here = useContext(CurrentSpaceContext)
  if (!here || !hasPermission(here, 'requests:read')) return <>{id}</>
  return <Link href={`/requests/${id}`}>{id}</Link>
}

function messageOf(error: ApiError, t: (typeof texts)['en']): string {
  if (error.reason === 'passkey_unused') return t.passkeyUnused
  if (error.status === 0) return t.unreachable
  if (error.reason === 'arguments_invalid') return t.invalid
  return error.reason === 'step_up_required' ? t.stepUp : error.message || t.failed
}
