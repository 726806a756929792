import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { ResultOf, Scope } from './client.ts'

export type Me = ResultOf<'GET /v1/me'>
export type Membership = Me['spaces'][number]

/** The Space of the current page, and the user's permissions in it. */
export type Here = { me: Me; space: Membership; scope: Scope }

export const HereContext = createContext<Here | undefined>(undefined)

export function useHere(): Here {
  const here = useContext(HereContext)
  if (!here) throw new Error('useHere called outside a Space')
  return here
}

/** Returns a function that tells whether the user has a permission, in this Space or the installation. */
export function useMay(): (permission: string) => boolean {
  const here = useHere()
  return (permission) => mayIn(here, permission)
}

export const mayIn = ({ me, space }: Pick<Here, 'me' | 'space'>, permission: string): boolean =>
  space.permissions.includes(permission) || me.installationPermissions.includes(permission)
