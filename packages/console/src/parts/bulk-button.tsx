import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { ApiCall, ArgumentsOf } from '../api/client.ts'
import { Boundary, lazyComponent } from './code-loading.tsx'
import type { FormReader } from './form-reader.ts'

export type BulkProps<Row, Called extends ApiCall> = {
  /** Label of the button and of the button that confirms. */
  action: string
  title: string
  rows: readonly Row[]
  nameOf(row: Row): ComponentChildren
  call: Called
  /** Returns the arguments of the call for a row. */
  argsOf(row: Row, form: FormReader): ArgumentsOf<Called>
  /** Called when the dialog closes after something was sent. */
  onSent(): void
  /** Fields that apply to all rows. */
  children?: ComponentChildren
}

const loadDialog = () => import('./bulk-dialog.tsx')

/**
 * A button that sends the same command for several rows, after asking once. The dialog shows the outcome for each
 * row.
 */
export function BulkButton<Row extends { id: string }, Called extends ApiCall>(
  props: BulkProps<Row, Called>,
) {
  const [rows, setRows] = useState<readonly Row[]>()
  const BulkDialog = lazyComponent<BulkProps<Row, Called> & { onClose(): void }>(loadDialog, null)
  return (
    <>
      <button type="button" disabled={props.rows.length === 0} onClick={() => setRows(props.rows)}>
        {props.action}
      </button>
      {/* The dialog keeps the rows with which it was opened: they may leave the list once the command has succeeded. */}
      {rows && (
        <Boundary>
          <BulkDialog {...props} rows={rows} onClose={() => setRows(undefined)} />
        </Boundary>
      )}
    </>
  )
}
