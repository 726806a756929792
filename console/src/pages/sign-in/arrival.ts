import { useEffect, useState } from 'preact/hooks'

/** What a link brings along. */
export type Arrival = { kind: 'link' | 'invitation'; secret: string }

/** The link that this page was opened with, or that was pasted into its address later; and how to put it aside. */
export function useArrival(): [Arrival | undefined, () => void] {
  const [arrival, setArrival] = useState(takeArrival)
  useEffect(() => {
    const take = () => setArrival((before) => takeArrival() ?? before)
    // A link may have been pasted before this listens.
    take()
    addEventListener('hashchange', take)
    return () => removeEventListener('hashchange', take)
  }, [])
  return [arrival, () => setArrival(undefined)]
}

function takeArrival(): Arrival | undefined {
  const [, kind, secret] = /^#(link|invitation)=(.+)$/.exec(location.hash) ?? []
  if (!kind || !secret) return undefined
  // Nobody who looks at the address later finds it there.
  history.replaceState(null, '', location.pathname + location.search)
  return { kind: kind === 'link' ? 'link' : 'invitation', secret: decoded(secret) }
}

/** What somebody pasted may be cut off in the middle of a character. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
