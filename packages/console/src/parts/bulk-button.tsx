import { useState } from 'preact/hooks'
import type { ApiCall } from '../api/client.ts'
import type { BulkProps } from './bulk-dialog.tsx'
import { Boundary, lazyComponent } from './code-loading.tsx'

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
