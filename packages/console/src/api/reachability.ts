import { useEffect, useState } from 'preact/hooks'

// Tracks whether the service is reachable, based on the browser's online state and the outcome of the last
// call.

let isServiceReachable = true
const listeners = new Set<() => void>()

/** Records whether the service responded to the last call. */
export function recordReachability(isThere: boolean): void {
  if (isThere === isServiceReachable) return
  isServiceReachable = isThere
  for (const listen of listeners) listen()
}

export function useIsReachable(): boolean {
  const read = () => navigator.onLine && isServiceReachable
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
