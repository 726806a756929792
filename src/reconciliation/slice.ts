/** Statements come by hand: see `pesewa reconcile`. */
export const slice = { name: 'reconciliation' }
