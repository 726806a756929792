import { createFailures, type Failure, type Failures, failure, failures } from '@pesewa/connector-kit'
import { type Fields, fieldsOf } from '@pesewa/values'

/**
 * The meaning of Airtel's codes for collections or for disbursements. `failures.refusalOf` covers the codes
 * that, in the response to a submit, prove that nothing was started.
 */
export type AirtelCodes = {
  failures: Failures
  /**
   * Codes that mean that the outcome is not final and has to be queried again, regardless of the rest of the
   * response.
   */
  open: readonly string[]
  /** Codes that mean that our id has already been used. Airtel therefore already has the request. */
  duplicate: readonly string[]
  missing: readonly string[]
  /**
   * The failure if the payer or payee did not act in time. `is`: the code that proves this on its own, if there
   * is one.
   */
  expired: Failure & { is?: string }
  /** The code for a key or signature that did not match. Sending the request again with a new key may succeed. */
  signature: string
}

const byName = (names: string, what: Failure) =>
  Object.fromEntries(names.split(' ').map((name) => [name, what]))

/** The gateway's codes for wrong configuration or input, which it returns before it starts anything. */
const ofTheGateway = byName(
  'ESB000033 ESB000034 ESB000035 ESB000036 ESB000039 ROUTER001 ROUTER003 ROUTER005 ROUTER006 ROUTER007 ROUTER112 ROUTER119',
  failures.notSetUp,
)

/**
 * Codes of errors that may occur after the money was moved, or for which Airtel's documentation gives two
 * explanations.
 */
const unclear = ['ESB000001', 'ESB000004', 'ESB000008', 'ROUTER117', '0000900']

export const collectionCodes: AirtelCodes = {
  open: [...unclear, 'DP00800001006', 'DP00800001024'],
  duplicate: ['ESB000041'],
  missing: ['ESB000045', 'DP00800001025'],
  expired: { is: 'DP00800001029', ...failures.noResponse },
  signature: 'DP00800001026',
  failures: createFailures({
    atSubmit: { ...ofTheGateway, DP00800001004: failures.amountRefused, DP00800001026: failures.notSetUp },
    // Airtel's documentation gives different explanations for some of these codes. In the response to a submit,
    // they are therefore inconclusive, and no money depends on them.
    later: {
      DP00800001002: failures.wrongPin,
      DP00800001003: failures.walletLimitReached,
      DP00800001005: failure('authorization_failed', 'The payer did not enter the PIN.'),
      DP00800001007: failures.walletBalanceTooLow,
      DP00800001008: failures.payerDeclined,
      DP00800001009: failures.paymentDeclined,
      DP00800001010: failures.paymentNotAllowed,
      DP00800001029: failures.noResponse,
    },
    other: failures.paymentFailed,
  }),
}

/** Codes that are returned if the PIN is wrong, or locked after several wrong attempts. */
export const pinCodes: readonly string[] = ['ROUTER114', 'ROUTER115', 'ROUTER116']

export const disbursementCodes: AirtelCodes = {
  open: [...unclear, 'DP00900001000', 'DP00900001006', 'DP00900001011', 'DP00900001014'],
  duplicate: ['DP00900001017', 'ESB000041'],
  missing: ['ESB000045', 'DP00900001015'],
  expired: failures.notCollected,
  signature: 'DP00900001016',
  failures: createFailures({
    atSubmit: {
      ...ofTheGateway,
      ...byName(pinCodes.join(' '), failures.payoutsRefused),
      DP00900001003: failures.walletLimitReached,
      DP00900001004: failures.amountRefused,
      DP00900001007: failures.ourBalanceTooLow,
      DP00900001009: failures.walletMissing,
      DP00900001010: failures.payoutNotAllowed,
      DP00900001012: failures.walletMissing,
      DP00900001013: failures.walletCannotReceive,
      DP00900001016: failures.notSetUp,
    },
    other: failures.payoutFailed,
  }),
}

/**
 * Returns all codes in a response. The field names used by the gateway differ from those of the service behind
 * it.
 */
export function codesOf(fields: Fields): string[] {
  const { code, result_code, response_code } = fieldsOf(fields.status)
  return [response_code, result_code, code, fields.code, fields.status_code, fields.error_code].filter(
    (each): each is string => typeof each === 'string' && codeForm.test(each),
  )
}

/**
 * The format of a code. Codes are logged, so a numeric code is accepted only if it is shorter than any PIN;
 * otherwise, a PIN that appeared in place of a code would be logged. The only exception is Airtel's code
 * `0000900`.
 */
const codeForm = /^(?:(?:DP|ESB|ROUTER)[0-9]{3,12}|[0-9]{3}|0000900)$/
