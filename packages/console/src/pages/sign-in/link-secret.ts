import { useEffect, useState } from 'preact/hooks'

/** The secret in a sign-in or invitation link. */
export type LinkSecret = { kind: 'link' | 'invitation'; secret: string }

/**
 * Returns the link that the page was opened with, or one that was later pasted into the address bar, and a
 * function to dismiss it.
 */
export function useLinkSecret(): [LinkSecret | undefined, () => void] {
  const [arrival, setArrival] = useState(takeLinkSecret)
  useEffect(() => {
    const take = () => setArrival((before) => takeLinkSecret() ?? before)
    // Catches a link pasted before the listener was added.
    take()
    addEventListener('hashchange', take)
    return () => removeEventListener('hashchange', take)
  }, [])
  return [arrival, () => setArrival(undefined)]
}

function takeLinkSecret(): LinkSecret | undefined {
  const [, kind, secret] = /^#(link|invitation)=(.+)$/.exec(location.hash) ?? []
  if (!kind || !secret) return undefined
  // Removes the secret from the address bar.
  history.replaceState(null, '', location.pathname + location.search)
  return { kind: kind === 'link' ? 'link' : 'invitation', secret: decoded(secret) }
}

/**
 * Decodes the secret. Returns it unchanged if it cannot be decoded, because a pasted link may be cut off in the
 * middle of an escape sequence.
 */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
