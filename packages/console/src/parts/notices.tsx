import { useContext } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { ApiError, ConnectionError, isFullyShown, PasskeyUnusedError, unshownIssues } from '../api/errors.ts'
import { CurrentSpaceContext, hasPermission } from '../api/scope.tsx'
import { createTexts } from '../text/languages.tsx'
import { useRefusalTranslation } from '../text/refusals.ts'

const useTexts = createTexts(
  {
    loading: 'Loading…',
    unreachable: 'The service cannot be reached. Check your connection.',
    failed: 'Something went wrong.',
    seeFields: 'Some values are invalid. Check the highlighted fields.',
    invalid: 'Some values are invalid.',
    passkeyUnused:
      'No passkey was used or created. You may have cancelled or taken too long, or there may be no passkey on this device.',
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
      'Aucune clé d’accès n’a été utilisée ni créée : opération annulée, délai dépassé ou aucune clé d’accès sur cet appareil.',
    request: 'Requête',
    retry: 'Réessayer',
    stepUp: 'Reconnectez-vous, puis réessayez dans les dix minutes.',
    signInAgain: 'Se reconnecter',
  },
)

/** Shows where content will appear: the rows of a table, or a section. */
export function Loading({ isTable = false }: { isTable?: boolean }) {
  const { loading } = useTexts()
  return (
    <div class={isTable ? 'loading skeleton table' : 'loading skeleton'} role="status">
      <span class="unseen">{loading}</span>
      {shapes.map((shape) => (
        <i key={shape} />
      ))}
    </div>
  )
}

const shapes = [1, 2, 3, 4, 5]

/** Shows an error and its request ID. Errors that concern a form field are shown next to the field instead. */
export function ErrorNotice({ error, onRetry }: { error: Error | null; onRetry?: () => void }) {
  const t = useTexts()
  const translate = useRefusalTranslation()
  if (!error) return null
  const { reason, requestId = undefined } = error instanceof ApiError ? error : {}
  return (
    <div class="notice bad" role="alert">
      <p>{isFullyShown(error) ? t.seeFields : translate(messageOf(error, t))}</p>
      {reason === 'step_up_required' && (
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
      {requestId && (
        <p class="muted">
          {t.request} <RequestLink id={requestId} />
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
const unshownDetails = (error: Error) =>
  unshownIssues(error).filter(({ errors }) => !errors.includes(error.message))

/** The request ID, with a link if a Space has been chosen and the user may see its requests. */
function RequestLink({ id }: { id: string }) {
  const here = useContext(CurrentSpaceContext)
  if (!here || !hasPermission(here, 'requests:read')) return <>{id}</>
  return <Link href={`/requests/${id}`}>{id}</Link>
}

function messageOf(error: Error, t: ReturnType<typeof useTexts>): string {
  if (error instanceof PasskeyUnusedError) return t.passkeyUnused
  if (error instanceof ConnectionError) return t.unreachable
  if (!(error instanceof ApiError) || error.reason === 'unreadable') return t.failed
  if (error.reason === 'arguments_invalid') return t.invalid
  return error.reason === 'step_up_required' ? t.stepUp : error.summary
}
