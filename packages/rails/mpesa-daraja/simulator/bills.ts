import { randomUUID } from 'node:crypto'
import { createPeer, NoAnswer, type Provider, send } from '@pesewa/connector-kit'
import type { SimulatorParts, StoredCollection } from '@pesewa/connector-kit/simulator'
import { must } from '@pesewa/values'
import { timeInNairobi } from '../documents.ts'
import { simulatedShortCode } from '../test-credentials.ts'
import { receiptOf } from './ids.ts'
import { keyOf, moneyOf } from './request.ts'

// Manual payments to the PayBill number, which are reported as in Safaricom's C2B API.

/** How many times a payment is reported, depending on the last three digits of the payer's number. */
const notices: Readonly<Record<string, number>> = { '005': 3, '006': 0 }

/** The payer's input: an amount in whole shillings, and the account number that identifies what is paid. */
export type PaidBill = { shillings: string; reference: string; msisdn: string }

/**
 * Makes a manual payment, unless the business refuses it. Returns `closed` if the business has registered no
 * URLs.
 */
export async function payBill(
  parts: SimulatorParts,
  provider: Provider,
  { shillings, reference, msisdn }: PaidBill,
): Promise<'paid' | 'refused' | 'closed'> {
  const urls = await parts.store.findBillUrls(provider.providerId)
  if (!urls) return 'closed'
  const at = parts.clock.now()
  const payment = {
    ...keyOf(provider, randomUUID()),
    ...moneyOf(shillings),
    payer: msisdn,
    externalId: reference,
    payerMessage: `account ${reference}`,
    payeeNote: '',
    callbackUrl: null,
    returnUrl: null,
    noticeUrl: urls.confirmationUrl,
  }
  const asked = noticeDocument({ ...payment, financialTransactionId: null, movedAt: at })
  if (!(await isAccepted(urls.validationUrl, asked))) return 'refused'
  const callbacks = notices[msisdn.slice(-3)] ?? 1
  const outcomes = [{ afterMs: 0, status: 'SUCCESSFUL', reason: null, callbacks }] as const
  await parts.store.add('collection', { request: payment, at, outcomes: [...outcomes] })
  parts.wakeAt(at)
  return 'paid'
}

const validationTimeoutMs = 8_000

/**
 * Returns whether the business accepts the payment. If the business does not respond in time, nothing is paid,
 * as with the `ResponseType` `Cancelled`.
 */
async function isAccepted(validationUrl: string, document: object): Promise<boolean> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify(document)
  const peer = createPeer(1)
  try {
    const response = await send(peer, {
      method: 'POST',
      url: validationUrl,
      headers,
      body,
      timeoutMs: validationTimeoutMs,
    })
    return response.status === 200 && /"ResultCode":"0"/.test(response.body)
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error
    return false
  } finally {
    await peer.close()
  }
}

/** Returns the confirmation of a manual payment or of a prompted payment. */
export const confirmationOf = ({ movedAt, ...paid }: StoredCollection): object =>
  noticeDocument({ ...paid, movedAt: must(movedAt, 'time of a completed payment') })

export type ConfirmedBill = Pick<
  StoredCollection,
  'payer' | 'amount' | 'externalId' | 'financialTransactionId'
> & {
  movedAt: Date
}

/** Returns the document for a payment, in which the payer's number is masked, as in version 2 of the API. */
const noticeDocument = ({ payer, amount, externalId, financialTransactionId, movedAt }: ConfirmedBill) => ({
  TransactionType: 'Pay Bill',
  TransID: receiptOf(financialTransactionId),
  TransTime: timeInNairobi(movedAt).replace(/[-: ]/g, ''),
  TransAmount: `${amount}.00`,
  BusinessShortCode: simulatedShortCode,
  BillRefNumber: externalId,
  InvoiceNumber: '',
  OrgAccountBalance: '0.00',
  ThirdPartyTransID: '',
  MSISDN: `${payer.slice(0, 5)}***${payer.slice(-3)}`,
  FirstName: 'JANE',
  MiddleName: '',
  LastName: '',
})
