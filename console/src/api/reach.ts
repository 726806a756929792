import { useEffect, useState } from 'preact/hooks'

// Whether the service can be reached: as the browser says, and as the last call found.

let isReached = true
const listeners = new Set<() => void>()

/** What a call found: any response, or none. */
export function noteReach(isThere: boolean): void {
  if (isThere === isReached) return
  isReached = isThere
  for (const listen of listeners) listen()
}

export function useReach(): boolean {
  const read = () => navigator.onLine && isReached
  const [reach, setReach] = useState(read)
  useEffect(() => {
    const listen = () => setReach(read())
    listeners.add(listen)
    addEventListener('online', listen)
    addEventListener('offline', listen)
    return () => {
      listeners.delete(listen)
      removeEventListener('online', listen)
      removeEventListener('offline', listen)
    }
  }, [])
  return reach
}
