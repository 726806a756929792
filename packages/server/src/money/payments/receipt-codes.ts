import { sameText } from '@pesewa/values'
import { checkCode, readCode, showCode } from '../../platform/check-codes.ts'
import type { Reader } from '../../platform/db/database.ts'
import type { Scoped } from '../../platform/db/scoped.ts'
import type { Seals } from '../../platform/seals.ts'
import { type Receipt, selectReceiptsNumbered } from './receipt-store.ts'
import { isOrderNumber } from './receipts.ts'

/** Returns the code on a receipt: the order number and a check code, such as `6048-1193-2075-K7Q4-MX2P`. */
export const receiptCode = (seals: Seals, receipt: Scoped<{ number: string }>): string =>
  showCode(receipt.number + checkOf(seals, receipt))

/** Returns the receipt with this code, or `undefined` if we have not issued such a receipt. */
export async function findReceiptByCode(
  db: Reader,
  seals: Seals,
  typed: string,
): Promise<Scoped<Receipt> | undefined> {
  const { body, check } = readCode(typed)
  if (!isOrderNumber(body)) return undefined
  const receipts = await selectReceiptsNumbered(db, body)
  return receipts.find((receipt) => sameText(checkOf(seals, receipt), check))
}

const checkOf = (seals: Seals, { scope: { spaceId, environment }, number }: Scoped<{ number: string }>) =>
  checkCode(seals, 'receipt code', `${spaceId} ${environment} ${number}`)
