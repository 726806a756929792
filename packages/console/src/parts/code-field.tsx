import { useState } from 'preact/hooks'
import { createTexts } from '../text/languages.tsx'
import { Field } from './field.tsx'

const useTexts = createTexts(
  {
    code: 'Code',
    codeHint: 'The six-digit code from your authenticator app.',
    recoveryCode: 'Recovery code',
    recoveryHint: 'One of the recovery codes you saved. Each works once.',
    useRecovery: 'Use a recovery code',
    useApp: 'Use the authenticator app',
  },
  {
    code: 'Code',
    codeHint: 'Le code à six chiffres de votre application d’authentification.',
    recoveryCode: 'Code de secours',
    recoveryHint: 'L’un des codes de secours que vous avez enregistrés. Chacun ne sert qu’une fois.',
    useRecovery: 'Utiliser un code de secours',
    useApp: 'Utiliser l’application',
  },
)

export const codeIn = (fields: FormData) => String(fields.get('code')).trim()

type Props = { issue?: string | undefined; hasRecovery?: boolean }

/** A field for a code from the authenticator app, or for a recovery code. */
export function CodeField({ issue, hasRecovery = true }: Props) {
  const t = useTexts()
  const [isRecovery, setRecovery] = useState(false)
  return (
    <>
      <Field
        label={isRecovery ? t.recoveryCode : t.code}
        hint={isRecovery ? t.recoveryHint : t.codeHint}
        name="code"
        issue={issue}
      >
        {(controls) => (
          <input
            {...controls}
            // The field is recreated when the user switches to the other kind of code, so that its content is
            // not carried over.
            key={String(isRecovery)}
            inputMode={isRecovery ? 'text' : 'numeric'}
            autoComplete={isRecovery ? 'off' : 'one-time-code'}
            autoCapitalize="characters"
            spellcheck={false}
            required
            minLength={6}
            maxLength={isRecovery ? 40 : 10}
          />
        )}
      </Field>
      {hasRecovery && (
        <p>
          <button type="button" class="quiet small" onClick={() => setRecovery(!isRecovery)}>
            {isRecovery ? t.useApp : t.useRecovery}
          </button>
        </p>
      )}
    </>
  )
}
