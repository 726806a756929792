import { useState } from 'preact/hooks'
import { Boundary, lazyComponent } from './code-loading.tsx'
import type { SelectionProps } from './selection-actions.tsx'

/** The rows of a list that the user has selected. */
export type Selection = {
  has(key: string): boolean
  set(keys: readonly string[], isChosen: boolean): void
}

/**
 * Returns the selection of a list and the rows in it. Rows that are no longer displayed, for example because of
 * another filter, are not in it, so that no action affects a row that the user cannot see.
 */
export function useSelection<Row extends { id: string }>(rows: readonly Row[]) {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set())
  const selection: Selection = {
    has: (key) => keys.has(key),
    set: (changed, isChosen) =>
      setKeys((before) => {
        const after = new Set(before)
        for (const key of changed) {
          if (isChosen) after.add(key)
          else after.delete(key)
        }
        return after
      }),
  }
  return { selection, chosen: rows.filter(({ id }) => keys.has(id)), clear: () => setKeys(new Set()) }
}

const loadActions = () => import('./selection-actions.tsx')

/**
 * The actions for the selected rows. They are displayed, and their code is loaded, only while rows are selected.
 */
export function SelectionBar<Row extends object>(props: SelectionProps<Row>) {
  const SelectionActions = lazyComponent<SelectionProps<Row>>(loadActions, null)
  return (
    <div class="selection" role="status">
      {props.chosen.length > 0 && (
        <Boundary isOptional>
          <SelectionActions {...props} />
        </Boundary>
      )}
    </div>
  )
}
