/** Statements are imported by hand, with `pesewa reconcile`. */
export const slice = {
  folder: 'finance/reconciliation',
  checks: async () => (await import('./checks.ts')).reconciliationChecks,
  tables: ['statements', 'statement_lines', 'open_clearing_lines', 'item_closings', 'closed_days'],
  functions: [
    'counted_id',
    'statement_details',
    'closed_day_details',
    'reopened_day_details',
    'item_closing_details',
  ],
}
