import type { AroundNavHandler } from 'wouter-preact'

let ask: ((leave: () => void) => void) | undefined

/**
 * Registers a function that is called before the user opens another page, and must call `leave` to let them go.
 * Returns a function that unregisters it.
 */
export function registerLeaving(asked: (leave: () => void) => void): () => void {
  ask = asked
  return () => {
    ask = undefined
  }
}

/** Opens a page, after asking the user if they have unsaved changes. */
export const openPage: AroundNavHandler = (navigate, to, options) => {
  const leave = () => navigate(to, options)
  if (ask) ask(leave)
  else leave()
}
