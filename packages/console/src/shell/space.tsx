import { useLocation } from 'wouter-preact'
import { api } from '../api/client.ts'
import { useRead } from '../api/queries.ts'
import { useCurrentSpace, usePermissions } from '../api/scope.tsx'
import { placeOf } from '../parts/addresses.ts'
import { optionsOf } from '../parts/field.tsx'
import { useTexts } from './texts.ts'

/**
 * Returns a function that opens the same page in another Space or environment or, if an object is open, its
 * list.
 */
function useSwitch(): (spaceId: string, environment: string) => void {
  const [location, navigate] = useLocation()
  const page = placeOf(location)?.tab?.path ?? '/'
  return (spaceId, environment) => navigate(`~/console/${spaceId}/${environment}${page}`)
}

/** The logo and name of the Space, with a menu of the user's Spaces if there are several. */
export function SpaceSwitch() {
  const t = useTexts()
  const { me, space, scope } = useCurrentSpace()
  const go = useSwitch()
  return (
    <div class="space">
      <Logo />
      {me.spaces.length > 1 ? (
        <label>
          <span class="unseen">{t.space}</span>
          <select
            value={space.id}
            onChange={({ currentTarget }) => {
              const chosen = currentTarget.value
              // The user may decide to stay in this Space.
              currentTarget.value = space.id
              go(chosen, scope.environment)
            }}
          >
            {optionsOf(Object.fromEntries(me.spaces.map(({ id, name }) => [id, name])))}
          </select>
        </label>
      ) : (
        <strong>{space.name}</strong>
      )}
    </div>
  )
}

/** The logo that payers see, or the first letter of the Space's name. */
function Logo() {
  const { space } = useCurrentSpace()
  const may = usePermissions()
  const { data } = useRead(api.settings.retrieve, [], { enabled: may('settings:read') })
  // Only the path is used, so that the logo loads from the same origin as this page.
  if (data?.logoUrl) return <img class="logo" src={new URL(data.logoUrl).pathname} alt="" />
  return (
    <span class="logo" aria-hidden="true">
      {[...space.name][0]?.toUpperCase()}
    </span>
  )
}

const environments = ['test', 'live'] as const

export function EnvironmentSwitch() {
  const t = useTexts()
  const { space, scope } = useCurrentSpace()
  const go = useSwitch()
  return (
    // biome-ignore lint/a11y/useSemanticElements: browsers add space inside a fieldset
    <div class={`environment in-${scope.environment}`} role="group" aria-label={t.environment}>
      {environments.map((environment) => (
        <button
          type="button"
          key={environment}
          aria-pressed={environment === scope.environment}
          onClick={() => go(space.id, environment)}
        >
          {t.environments[environment]}
        </button>
      ))}
    </div>
  )
}
