import { useMutation, useQueryClient } from '@tanstack/preact-query'
import { Link } from 'wouter-preact'
import { api, call } from '../api/client.ts'
import { useCurrentSpace } from '../api/scope.tsx'
import { useLanguage } from '../text/languages.tsx'
import { type Language, languages } from '../text/texts.ts'
import { useTexts } from './texts.ts'

/** Shows the signed-in user, the language and the sign-out button. */
export function Account() {
  const t = useTexts()
  const { me } = useCurrentSpace()
  const { language, choose } = useLanguage()
  return (
    <section class="account">
      <p>
        <span class="unseen">{t.signedInAs}</span> {me.user.email}
      </p>
      <p>
        <Link href="/security">{t.security}</Link>
      </p>
      {me.caller.type === 'session' && <SignOut />}
      <label>
        <span class="unseen">{t.language}</span>
        <select value={language} onChange={(event) => choose(event.currentTarget.value as Language)}>
          {Object.entries(languages).map(([code, name]) => (
            <option value={code} key={code} lang={code}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <a href="/docs">Guides</a>
    </section>
  )
}

function SignOut() {
  const t = useTexts()
  const client = useQueryClient()
  const signOut = useMutation<unknown, Error, void>({
    mutationFn: () => call(api.signOut.create, []),
    // Removes the user's cached data from this browser.
    onSuccess: () => {
      client.clear()
      location.assign('/console/sign-in')
    },
  })
  return (
    <button type="button" class="quiet" disabled={signOut.isPending} onClick={() => signOut.mutate()}>
      {t.signOut}
    </button>
  )
}
