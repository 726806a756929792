import {
  type BillAddresses,
  type BillNotice,
  type BillPayment,
  type BillRefusal,
  type Bills,
  type Connector,
  type OutboundAnswer,
  type ProbeStep,
  parseFields,
  type UnknownOutcome,
  unknown,
} from '@pesewa/connector-kit'
import { type Fields, fieldsOf, maxAmount, toMajorUnits } from '@pesewa/values'
import {
  codeOf,
  currency,
  idOf,
  momentInNairobi,
  shownError,
  statedAmount,
  timeInNairobi,
} from './documents.ts'
import type { DarajaGateway } from './gateway.ts'
import type { DarajaBills, DarajaSettings } from './settings.ts'

type Business = Pick<DarajaSettings, 'shortCode'> & { bills: DarajaBills }

/**
 * Manual payments to the PayBill (C2B). Safaricom calls one URL to ask whether a payment is allowed, if this is
 * enabled for the shortcode, and another URL to report each payment once. The service pulls the list of
 * transactions to find payments whose reports it missed.
 */
export const openBills = (
  { shortCode, bills }: Business,
  gateway: DarajaGateway,
  isSource: (address: string) => boolean,
): Bills => ({
  readNotice: ({ address, fields }) => readNotice(shortCode, fields, isSource(address)),
  async register(addresses) {
    const steps = [await registerAddresses(gateway, { shortCode, bills }, addresses)]
    const { pullNumber } = bills
    if (pullNumber !== undefined)
      steps.push(await registerPull(gateway, { shortCode, pullNumber }, addresses.confirmation))
    return steps
  },
  ...(bills.pullNumber !== undefined && {
    list: (from, until) => pull(gateway, shortCode, from, until),
    listedForMs,
  }),
})

/** Returns a function that lists prompted and manual payments for reconciliation, each with its transaction id. */
export const statementLister = ({ list, listedForMs = 0 }: Bills): Connector['listStatement'] =>
  list &&
  (async ({ from, until }) => {
    if (from.getTime() < Date.now() - listedForMs)
      return { outcome: 'refused', why: 'M-Pesa lists only the last 48 hours' }
    const listed = await list(from, until)
    if ('outcome' in listed) return listed
    const rows = listed.map(({ transaction, paidAt, amount, accountReference }) => [
      transaction,
      paidAt.toISOString(),
      toMajorUnits(amount, currency),
      accountReference,
    ])
    return { outcome: 'listed', rows: [headings, ...rows] }
  })

const headings = ['transaction', 'time', 'amount', 'account']

const listedForMs = 47 * 3_600_000 // how far back M-Pesa lists transactions: 48 hours, minus one hour for clock differences

function readNotice(shortCode: string, fields: Fields = {}, isAuthentic: boolean): BillNotice {
  const { BusinessShortCode, TransID, TransTime, TransAmount, BillRefNumber, MSISDN } = fields
  const isOurs = textOf(BusinessShortCode) === shortCode
  const payment = isOurs
    ? billOf({
        transaction: TransID,
        time: momentInNairobi(TransTime),
        amount: TransAmount,
        reference: BillRefNumber,
        payer: MSISDN,
      })
    : undefined
  return { isAuthentic, payment, answer }
}

type Stated = Record<'transaction' | 'amount' | 'reference' | 'payer', unknown> & { time: Date | undefined }

function billOf({ transaction, time, amount, reference, payer }: Stated): BillPayment | undefined {
  const [id, value] = [idOf(transaction), statedAmount(amount)]
  const isAmount = value !== undefined && value > 0n && value <= BigInt(maxAmount)
  if (id === undefined || !isAmount || time === undefined) return undefined
  const accountReference = textOf(reference).slice(0, maxReferenceLength)
  return {
    transaction: id,
    amount: value,
    currency,
    accountReference,
    ...payerOf(textOf(payer)),
    paidAt: time,
  }
}

const maxReferenceLength = 64 // maximum number of characters of a payer’s reference that are stored; M-Pesa allows 20

/** Removes control characters, because PostgreSQL cannot store NUL and people read these texts. */
const textOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
        .toWellFormed()
        .replace(/\p{Cc}/gu, '')
        .trim()
    : typeof value === 'number'
      ? String(value)
      : ''

/**
 * Reads the payer's number: older notifications contain the full number, newer ones `25470***149`, and some a
 * hash.
 */
function payerOf(payer: string): Pick<BillPayment, 'payerAccount' | 'payerMask'> {
  if (/^254[17][0-9]{8}$/.test(payer)) return { payerAccount: `+${payer}`, payerMask: null }
  return { payerAccount: null, payerMask: /^[0-9]{1,6}\*{2,8}[0-9]{0,4}$/.test(payer) ? `+${payer}` : '****' }
}

const refusalCodes: Record<BillRefusal, string> = {
  payer: 'C2B00011',
  reference: 'C2B00012',
  amount: 'C2B00013',
}

/**
 * Builds the response to a notification. In the response to a validation, result codes are strings. The
 * response to a confirmation has no effect.
 */
const answer = (refusal?: BillRefusal) => ({
  status: 200,
  contentType: 'application/json',
  body: JSON.stringify(
    refusal
      ? { ResultCode: refusalCodes[refusal], ResultDesc: 'Rejected' }
      : { ResultCode: '0', ResultDesc: 'Accepted' },
  ),
})

function registerAddresses(
  gateway: DarajaGateway,
  { shortCode, bills }: Business,
  { validation, confirmation }: BillAddresses,
): Promise<ProbeStep> {
  const body = {
    ShortCode: shortCode,
    ResponseType: bills.whenUnreachable ?? 'Cancelled',
    ConfirmationURL: confirmation,
    ValidationURL: validation,
  }
  return step(
    'addresses',
    gateway.post('/mpesa/c2b/v2/registerurl', body, (response) =>
      isRegistered(response, 'ResponseCode', ['0']),
    ),
  )
}

const registerPull = (
  gateway: DarajaGateway,
  { shortCode, pullNumber }: { shortCode: string; pullNumber: string },
  callbackUrl: string,
): Promise<ProbeStep> =>
  step(
    'pull of transactions',
    gateway.post(
      '/pulltransactions/v1/register',
      { ShortCode: shortCode, RequestType: 'Pull', NominatedNumber: pullNumber, CallBackURL: callbackUrl },
      // The code 1001 means that the number is already registered.
      (response) => isRegistered(response, 'ResponseStatus', ['1000', '1001']),
    ),
  )

type Registered = { outcome: 'ok' | 'failed'; why: string }

/** Reads the response to a registration. Accepts both spellings of the field name. */
function isRegistered(response: OutboundAnswer, name: string, good: string[]): Registered {
  const fields = parseFields(response.body) ?? {}
  const code = codeOf(fields[name] ?? fields[name.replace(/(?<=[a-z])(?=[A-Z])/, ' ')])
  const isGood = response.status === 200 && code !== undefined && good.includes(code)
  return { outcome: isGood ? 'ok' : 'failed', why: [shownError(response), code].filter(Boolean).join(' ') }
}

async function step(name: string, sent: Promise<Registered | UnknownOutcome>): Promise<ProbeStep> {
  const { outcome, why } = await sent
  return { step: name, outcome, detail: why }
}

const maxPageBytes = 4 * 1024 * 1024 // maximum size of a page in a list of transactions
const maxPages = 100 // maximum number of pages in a list of transactions
const pageSize = 1_000

/** Pulls the list of transactions page by page until a page contains nothing new. */
async function pull(
  gateway: DarajaGateway,
  shortCode: string,
  from: Date,
  until: Date,
): Promise<BillPayment[] | UnknownOutcome> {
  const found = new Map<string, BillPayment>()
  for (let page = 0; page < maxPages; page++) {
    const body = {
      ShortCode: shortCode,
      StartDate: timeInNairobi(from),
      EndDate: timeInNairobi(until),
      OffSetValue: String(page * pageSize),
    }
    const listed = await gateway.post('/pulltransactions/v1/query', body, pageOf, {
      maxAnswerBytes: maxPageBytes,
    })
    if ('outcome' in listed) return listed
    const before = found.size
    for (const bill of listed.bills) found.set(bill.transaction, bill)
    if (found.size === before) return [...found.values()]
  }
  return unknown('the list of transactions has too many pages')
}

/**
 * Reads a page, which contains either a flat list or, as shown in the portal, a nested one. Skips entries that
 * are not payments to us or cannot be read.
 */
function pageOf(response: OutboundAnswer): { bills: BillPayment[] } | UnknownOutcome {
  const { ResponseCode, Response } = parseFields(response.body) ?? {}
  if (response.status !== 200 || codeOf(ResponseCode) !== '1000' || !Array.isArray(Response))
    return unknown([shownError(response), codeOf(ResponseCode)].filter(Boolean).join(' '))
  const bills = Response.flat().flatMap((entry: unknown) => {
    const { transactionId, trxDate, msisdn, billreference, amount, transactiontype } = fieldsOf(entry)
    if (!/^c2b\b/i.test(textOf(transactiontype))) return []
    return (
      billOf({
        transaction: transactionId,
        time: momentInNairobi(trxDate),
        amount,
        reference: billreference,
        payer: msisdn,
      }) ?? []
    )
  })
  return { bills }
}
