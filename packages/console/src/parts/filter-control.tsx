import { Plus, X } from 'lucide-preact'
import { createTexts } from '../text/languages.tsx'
import { Boundary, lazyComponent } from './code-loading.tsx'
import { optionsOf } from './field.tsx'
import { type FilterProps, useSetParams } from './filter-values.ts'
import { Popover } from './popover.tsx'

const useTexts = createTexts(
  {
    remove: (label: string) => `Remove filter: ${label}`,
    set: (label: string, value: string) => `${label}: ${value}`,
  },
  {
    remove: (label: string) => `Retirer le filtre : ${label}`,
    set: (label: string, value: string) => `${label} : ${value}`,
  },
)

/** A filter as a button that shows its value, with another button that removes it. */
export function FilterControl({ filter, value }: FilterProps) {
  const setParams = useSetParams()
  const t = useTexts()
  const { name, label } = filter
  const remove = () =>
    setParams({ [name]: undefined, ...(filter.type === 'amount' && { currency: undefined }) })
  return (
    <span class={value ? 'chip set' : 'chip'}>
      {filter.choices ? <ChoiceFilter {...{ filter, value }} /> : <TypedFilter {...{ filter, value }} />}
      {value && (
        <button type="button" class="remove" aria-label={t.remove(label)} onClick={remove}>
          <X size={16} />
        </button>
      )}
    </span>
  )
}

function ChoiceFilter({ filter: { name, label, choices = {} }, value }: FilterProps) {
  const setParams = useSetParams()
  return (
    <select
      name={name}
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => setParams({ [name]: currentTarget.value })}
    >
      <option value="">{label}</option>
      {optionsOf(withValue(choices, value))}
    </select>
  )
}

/**
 * Adds the current value to the options if it is missing, because a URL may contain an option that no longer
 * exists.
 */
const withValue = (choices: Record<string, string>, value: string) =>
  value in choices || value === '' ? choices : { ...choices, [value]: value }

const loadField = () => import('./typed-field.tsx')

function TypedFilter({ filter, value }: FilterProps) {
  const t = useTexts()
  const { label } = filter
  const content = value ? (
    t.set(label, value)
  ) : (
    <>
      <Plus size={16} />
      {label}
    </>
  )
  const TypedField = lazyComponent(loadField, null)
  return (
    <Popover label={content}>
      {(close) => (
        <Boundary isOptional>
          <TypedField {...{ filter, value, close }} />
        </Boundary>
      )}
    </Popover>
  )
}
