import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { api, ResultOf, Scope } from './client.ts'

export type Me = ResultOf<typeof api.me.retrieve>
export type Membership = Me['spaces'][number]

/** The Space of the current page, and the user's permissions in it. */
export type CurrentSpace = { me: Me; space: Membership; scope: Scope }

export const CurrentSpaceContext = createContext<CurrentSpace | undefined>(undefined)

export function useCurrentSpace(): CurrentSpace {
  const here = useContext(CurrentSpaceContext)
  if (!here) throw new Error('useCurrentSpace was called outside a Space')
  return here
}

/**
 * Returns a function that returns true if the user has the given permission in this Space or in the
 * installation.
 */
export function usePermissions(): (permission: string) => boolean {
  const here = useCurrentSpace()
  return (permission) => hasPermission(here, permission)
}

export const hasPermission = (
  { me, space }: Pick<CurrentSpace, 'me' | 'space'>,
  permission: string,
): boolean => space.permissions.includes(permission) || me.installationPermissions.includes(permission)
