import type { Texts } from './texts.ts'

/** Test numbers for payers. Each entry has the last digits of the account and the outcome that they cause. */
export const testNumbers: { digits: string; outcome: keyof Texts['test']['outcomes'] }[] = [
  { digits: '001', outcome: 'fund_insufficient' },
  { digits: '002', outcome: 'declined' },
  { digits: '003', outcome: 'expired' },
  { digits: '004', outcome: 'slow' },
  { digits: '006', outcome: 'unreported' },
  { digits: '009', outcome: 'provider_account_blocked' },
  { digits: '010', outcome: 'provider_account_missing' },
  { digits: '011', outcome: 'provider_account_quota_exhausted' },
]
