/**
 * The special endings of account numbers in the contract. For each ending of a payer's or payee's account: how
 * the payment or payout ends once the rail has it, whether the rail moves the money, and the failure code.
 * `payerCode` is the code if the payer was prompted and the failure differs.
 */
export const endings: Record<
  string,
  { status: 'completed' | 'failed'; moves: boolean; code?: string; payerCode?: string }
> = {
  '456': { status: 'completed', moves: true },
  '001': { status: 'failed', moves: false, code: 'fund_insufficient' },
  '002': { status: 'failed', moves: false, code: 'authorization_failed' },
  '003': { status: 'failed', moves: false, code: 'authorization_failed' },
  '004': { status: 'completed', moves: true },
  '005': { status: 'completed', moves: true },
  '006': { status: 'completed', moves: true },
  '007': { status: 'completed', moves: true },
  '008': { status: 'failed', moves: false, code: 'unknown' },
  '009': { status: 'failed', moves: false, code: 'provider_account_blocked' },
  '010': { status: 'failed', moves: false, code: 'provider_account_missing' },
  '011': { status: 'failed', moves: false, code: 'provider_account_quota_exhausted' },
  // Reported as failed, later reported as successful: it stays failed, and a case is open.
  '012': { status: 'failed', moves: true, code: 'unknown', payerCode: 'authorization_failed' },
}

/**
 * Returns a phone and a bank account with these last digits, so that there is one payee on a rail of each
 * protocol.
 */
export const payees = (digits: string) => [
  { type: 'momo', providerId: 'm17', phoneNumber: `+23276123${digits}` },
  { type: 'bank', providerId: 'slb001', accountNumber: `0011223${digits}` },
]

/** Returns a phone, and a wallet whose payer approves the payment on the rail's own page. */
export const payers = (digits: string) => [
  { providerId: 'm17', account: { phone: `076 123 ${digits}` } },
  { providerId: 'dw001', account: { walletId: `fatu${digits}` } },
]
