import { X } from 'lucide-preact'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { createTexts } from '../text/languages.tsx'
import { DownloadButton } from './download.tsx'

const useTexts = createTexts(
  {
    chosen: (count: number) => `${count} selected`,
    clear: 'Clear the selection',
    actions: 'Actions for the selection',
  },
  {
    chosen: (count: number) => (count === 1 ? '1 sélectionné' : `${count} sélectionnés`),
    clear: 'Effacer la sélection',
    actions: 'Actions sur la sélection',
  },
)

/** The rows of a list that the user has selected. */
export type Selection = {
  has(key: string): boolean
  set(keys: readonly string[], isChosen: boolean): void
}

/**
 * Returns the selection of a list and the rows in it. Rows that are no longer displayed, for example because of
 * another filter, are not in it, so that no action concerns a row that the user cannot see.
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

type BarProps<Row> = { chosen: readonly Row[]; file: string; clear(): void; children?: ComponentChildren }

/** The number of selected rows, and what can be done with them. It is displayed while rows are selected. */
export function SelectionBar<Row extends object>({ chosen, file, clear, children }: BarProps<Row>) {
  const t = useTexts()
  return (
    <div class="selection" role="status">
      {chosen.length > 0 && (
        <section aria-label={t.actions}>
          <strong>{t.chosen(chosen.length)}</strong>
          {children}
          <DownloadButton name={file} get={async () => (await import('./csv.ts')).csvFile(chosen)} />
          <button type="button" class="icon-button" aria-label={t.clear} onClick={clear}>
            <X size={20} />
          </button>
        </section>
      )}
    </div>
  )
}
