/** Statements come by hand: see `pesewa reconcile`. */
export const slice = {
  name: 'reconciliation',
  tables: ['statements', 'statement_lines', 'open_clearing_lines'],
}
