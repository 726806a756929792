import { useMutation, useQueryClient } from '@tanstack/preact-query'
import { BookOpen, ChevronUp, LogOut, ShieldCheck } from 'lucide-preact'
import { Link, useLocation } from 'wouter-preact'
import { api, call } from '../api/client.ts'
import { useCurrentSpace } from '../api/scope.tsx'
import { useLanguage } from '../text/languages.tsx'
import { type Language, languages } from '../text/texts.ts'
import { useTexts } from './texts.ts'

/** The signed-in user, with the language, the guides and the sign-out button. */
export function Account() {
  const t = useTexts()
  const { me } = useCurrentSpace()
  const { language, choose } = useLanguage()
  const [location] = useLocation()
  return (
    // The key closes it on navigation.
    <details class="account" key={location}>
      <summary>
        <span class="logo" aria-hidden="true">
          {[...me.user.email][0]?.toUpperCase()}
        </span>
        <span class="email">
          <span class="unseen">{t.signedInAs}</span> {me.user.email}
        </span>
        <ChevronUp size={16} />
      </summary>
      <label>
        <span>{t.language}</span>
        <select value={language} onChange={(event) => choose(event.currentTarget.value as Language)}>
          {Object.entries(languages).map(([code, name]) => (
            <option value={code} key={code} lang={code}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <Link href="/security">
        <ShieldCheck size={20} />
        {t.security}
      </Link>
      <a href="/docs">
        <BookOpen size={20} />
        {t.guides}
      </a>
      {me.caller.type === 'session' && <SignOut />}
    </details>
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
    <button type="button" disabled={signOut.isPending} onClick={() => signOut.mutate()}>
      <LogOut size={20} />
      {t.signOut}
    </button>
  )
}
