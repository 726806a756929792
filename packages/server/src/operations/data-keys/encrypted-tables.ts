export type EncryptedColumn = { name: string; isName?: true }

/** A table with encrypted columns. */
export type EncryptedTable = {
  name: string
  /** The columns of its primary key. */
  key: string[]
  columns: EncryptedColumn[]
  /** The Space of its rows, if not in `space_id`. */
  spaceId?: string
  /** The sealed object that contains the columns: its type, its table and the column with its id. */
  sealed?: { type: string; table: string; id: string; isInstallation?: true }
}

const installationId = '00000000-0000-0000-0000-000000000000'
const ofSpace = ['space_id', 'environment']

const sealedItself = (type: string, table: string) => ({ sealed: { type, table, id: 'id' } })

/** All tables with encrypted columns, in the order in which they are encrypted. A test finds tables that are missing. */
export const encryptedTables: EncryptedTable[] = [
  {
    name: 'payment_code_attempts',
    key: [...ofSpace, 'payment_code_id', 'payment_id'],
    columns: [{ name: 'phone_number' }],
  },
  {
    name: 'ussd_otps',
    key: [...ofSpace, 'id'],
    columns: [{ name: 'phone_number' }],
    ...sealedItself('ussd_otp', 'ussd_otps'),
  },
  {
    name: 'payment_codes',
    key: [...ofSpace, 'id'],
    columns: [{ name: 'authorized_phone_number' }, { name: 'customer_name', isName: true }],
    ...sealedItself('payment_code', 'payment_codes'),
  },
  {
    name: 'bill_payments',
    key: ['environment', 'connection', 'transaction'],
    columns: [{ name: 'payer_account' }],
    spaceId: installationId,
    sealed: { type: 'bill_payment', table: 'bill_payments', id: 'id', isInstallation: true },
  },
  {
    name: 'payout_batch_rows',
    key: [...ofSpace, 'batch_id', 'number'],
    columns: [{ name: 'payee_account' }, { name: 'name', isName: true }],
    sealed: { type: 'payout_batch', table: 'payout_batches', id: 'batch_id' },
  },
  {
    name: 'payments',
    key: [...ofSpace, 'id'],
    columns: [{ name: 'payer_account' }],
    ...sealedItself('payment', 'payments'),
  },
  {
    name: 'payouts',
    key: [...ofSpace, 'id'],
    columns: [{ name: 'payee_account' }],
    ...sealedItself('payout', 'payouts'),
  },
  {
    name: 'refunds',
    key: [...ofSpace, 'id'],
    columns: [{ name: 'payer_account' }],
    ...sealedItself('refund', 'refunds'),
  },
  { name: 'instructions', key: [...ofSpace, 'id'], columns: [{ name: 'account' }] },
]
