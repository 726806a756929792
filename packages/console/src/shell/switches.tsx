import { useLocation } from 'wouter-preact'
import { useCurrentSpace } from '../api/scope.tsx'
import { optionsOf } from '../parts/field.tsx'
import { useTexts } from './texts.ts'

/**
 * Menus to switch the Space and the environment. The user stays on the same page or, if an object is open, goes
 * to the list.
 */
export function Switches() {
  const t = useTexts()
  const { me, space, scope } = useCurrentSpace()
  const [, navigate] = useLocation()
  const [page = ''] = /^\/[\w-]*/.exec(useLocation()[0]) ?? []
  const go = (spaceId: string, environment: string) => navigate(`~/console/${spaceId}/${environment}${page}`)
  return (
    <div class="switches">
      <label>
        <span class="unseen">{t.space}</span>
        <select value={space.id} onChange={(event) => go(event.currentTarget.value, scope.environment)}>
          {optionsOf(Object.fromEntries(me.spaces.map(({ id, name }) => [id, name])))}
        </select>
      </label>
      <label>
        <span class="unseen">{t.environment}</span>
        <select value={scope.environment} onChange={(event) => go(space.id, event.currentTarget.value)}>
          {optionsOf(t.environments)}
        </select>
      </label>
    </div>
  )
}
