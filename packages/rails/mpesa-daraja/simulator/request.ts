import { randomUUID } from 'node:crypto'
import type { Provider } from '@pesewa/connector-kit'
import {
  type CollectionRequest,
  type DisbursementRequest,
  isRegistered,
  type SimulatorParts,
} from '@pesewa/connector-kit/simulator'
import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { simulatedBusiness } from '../test-credentials.ts'
import { invalid, muddled } from './error.ts'

const msisdn = '^254[17][0-9]{8}$'
const text = Type.String({ minLength: 2, maxLength: 100 })

const express = Type.Object({
  BusinessShortCode: Type.Integer(),
  Password: Type.String(),
  Timestamp: Type.String({ pattern: '^[0-9]{14}$' }),
  TransactionType: Type.Enum(['CustomerPayBillOnline', 'CustomerBuyGoodsOnline']),
  Amount: Type.Integer({ minimum: 1, maximum: 250_000 }),
  PartyA: Type.Integer(),
  PartyB: Type.Integer(),
  PhoneNumber: Type.Integer(),
  CallBackURL: Type.String({ maxLength: 1000 }),
  AccountReference: Type.String({ minLength: 1, maxLength: 12 }),
  TransactionDesc: Type.Optional(Type.String({ maxLength: 13 })),
})
const url = Type.String({ maxLength: 1000 })
const operator = { SecurityCredential: Type.String(), QueueTimeOutURL: url, ResultURL: url, Remarks: text }
const payout = Type.Object({
  ...operator,
  OriginatorConversationID: Type.String({ pattern: '^[0-9a-f-]{36}$' }),
  InitiatorName: Type.String(),
  CommandID: Type.Enum(['BusinessPayment', 'SalaryPayment', 'PromotionPayment']),
  Amount: Type.String({ pattern: '^[1-9][0-9]{0,5}$' }),
  PartyA: Type.String(),
  PartyB: Type.String({ pattern: msisdn }),
})
const status = Type.Object({
  ...operator,
  Initiator: Type.String(),
  CommandID: Type.Literal('TransactionStatusQuery'),
  OriginalConversationID: Type.String({ maxLength: 64 }),
  PartyA: Type.String(),
  IdentifierType: Type.Literal('4'),
})
const reversal = Type.Object({
  ...operator,
  Initiator: Type.String(),
  CommandID: Type.Literal('TransactionReversal'),
  TransactionID: Type.String({ maxLength: 64 }),
  Amount: Type.String({ pattern: '^[1-9][0-9]{0,5}$' }),
  ReceiverParty: Type.String(),
  RecieverIdentifierType: Type.Literal('11'),
})
const shapes = {
  express: Compile(express),
  payout: Compile(payout),
  status: Compile(status),
  reversal: Compile(reversal),
}

export type StatusQuery = Static<typeof status>

const refusedWords = /mpesa|safaricom|exe|cmd|sql|query/i

/**
 * Validates a prompt as Safaricom does. The caller sends no reference, so the simulator generates one.
 *
 * @throws DarajaError
 */
export function readExpress(parts: SimulatorParts, provider: Provider, body: unknown): CollectionRequest {
  if (!shapes.express.Check(body)) throw invalid(firstInvalidField(shapes.express, body))
  requireSigned(parts, body)
  requireOwnUrl(parts, 'CallBackURL', body.CallBackURL)
  const payer = String(body.PhoneNumber)
  // Numbers that end with these digits have no account.
  if (!new RegExp(msisdn).test(payer) || payer.endsWith('010')) throw invalid('PhoneNumber')
  return {
    ...keyOf(provider, randomUUID()),
    ...moneyOf(String(body.Amount)),
    payer,
    externalId: body.AccountReference,
    payerMessage: body.TransactionDesc ?? '',
    callbackUrl: body.CallBackURL,
    returnUrl: null,
  }
}

/** Checks the password, which consists of the short code, the passkey and the timestamp. */
export function requireSigned(
  { seals }: SimulatorParts,
  body: { BusinessShortCode: unknown; Password: unknown; Timestamp: unknown },
): void {
  const { shortCode, passkey } = simulatedBusiness(seals)
  const password = Buffer.from(`${shortCode}${passkey}${body.Timestamp}`).toString('base64')
  if (String(body.BusinessShortCode) !== shortCode) throw muddled('Merchant does not exist')
  if (body.Password !== password) throw muddled('Wrong credentials')
}

/**
 * Validates a payout request as Safaricom does.
 *
 * @throws DarajaError
 */
export function readPayout(parts: SimulatorParts, provider: Provider, body: unknown): DisbursementRequest {
  if (!shapes.payout.Check(body)) throw invalid(firstInvalidField(shapes.payout, body))
  requireOperator(parts, body.InitiatorName, body.SecurityCredential)
  requireAddresses(parts, body)
  return {
    ...keyOf(provider, body.OriginatorConversationID),
    ...moneyOf(body.Amount),
    payee: body.PartyB,
    externalId: body.OriginatorConversationID,
    payeeNote: body.Remarks,
    callbackUrl: body.ResultURL,
  }
}

/**
 * Validates a status query as Safaricom does.
 *
 * @throws DarajaError
 */
export function readStatusQuery(parts: SimulatorParts, body: unknown): StatusQuery {
  if (!shapes.status.Check(body)) throw invalid(firstInvalidField(shapes.status, body))
  requireOperator(parts, body.Initiator, body.SecurityCredential)
  requireAddresses(parts, body)
  return body
}

/**
 * Validates a reversal request as Safaricom does. The caller sends no reference, so the simulator generates
 * one.
 *
 * @throws DarajaError
 */
export function readReversal(parts: SimulatorParts, provider: Provider, body: unknown) {
  if (!shapes.reversal.Check(body)) throw invalid(firstInvalidField(shapes.reversal, body))
  requireOperator(parts, body.Initiator, body.SecurityCredential)
  requireAddresses(parts, body)
  const reference = randomUUID()
  return {
    ...keyOf(provider, reference),
    ...moneyOf(body.Amount),
    externalId: reference,
    payeeNote: body.Remarks,
    callbackUrl: body.ResultURL,
    message: body.Remarks,
    receipt: body.TransactionID,
  }
}

export const keyOf = ({ providerId, protocol }: Provider, reference: string) => ({
  providerId,
  protocol,
  reference,
})

export const moneyOf = (shillings: string) => ({
  amount: shillings,
  amountMinor: BigInt(shillings) * 100n,
  currency: 'KES',
})

/**
 * Checks the operator's name and credential. The credential is encrypted with 2048-bit RSA, and the simulator
 * does not have the private key, so it checks only the form of the credential.
 */
function requireOperator({ seals }: SimulatorParts, name: string, credential: string): void {
  const isCredential = /^[A-Za-z0-9+/]{342}==$/.test(credential)
  if (name !== simulatedBusiness(seals).payouts.initiatorName || !isCredential) throw invalid('InitiatorName')
}

function requireAddresses(parts: SimulatorParts, body: { ResultURL: string; QueueTimeOutURL: string }): void {
  requireOwnUrl(parts, 'ResultURL', body.ResultURL)
  requireOwnUrl(parts, 'QueueTimeOutURL', body.QueueTimeOutURL)
}

/** Checks that a callback URL is on a registered host and contains none of the forbidden words. */
export function requireOwnUrl({ baseUrl }: SimulatorParts, field: string, address: string): void {
  if (!isRegistered(address, baseUrl) || refusedWords.test(address.replace(baseUrl, ''))) throw invalid(field)
}

type Shape = (typeof shapes)[keyof typeof shapes]

/** Returns the name of the first invalid field, as Safaricom reports it. */
export function firstInvalidField(shape: Pick<Shape, 'Errors'>, body: unknown): string {
  const [error] = shape.Errors(body)
  return error?.instancePath.split('/')[1] || 'Request'
}
