import type { KeyObject } from 'node:crypto'
import {
  type Connector,
  callRail,
  type Disbursement,
  failure,
  type MoneyOrder,
  msisdnOf,
  parseFields,
  type RailBalance,
  type SubmitOutcome,
  sendWithToken,
  type UnknownOutcome,
} from '@pesewa/connector-kit'
import { must } from '@pesewa/values'
import { nationalNumberOf } from '@pesewa/values/phones'
import type { Agent } from 'undici'
import { balanceOf, holderOf } from './account.ts'
import { type AirtelCodes, codesOf, collectionCodes, disbursementCodes } from './codes.ts'
import { numberOf } from './documents.ts'
import { type Gateway, longestCallMs, openGateway } from './gateway.ts'
import { encryptedPin, openKeys, readKey, signatureOf } from './keys.ts'
import { guardPin } from './pin.ts'
import { readReport } from './report.ts'
import { outcomeOf, submitted } from './responses.ts'
import type { AirtelSettings } from './settings.ts'

/** Airtel asks us to wait at least this long after the submit before we query the outcome. */
const liveFirstQueryMs = 60_000
const liveMissingAfterMs = 180_000

/**
 * Creates the connector for Airtel Money's Open API in one country. Our reference is the `id` of the
 * transaction. Airtel processes each id only once, and queries use the same id. Collections are refunded by
 * payouts, because Airtel's own refunds do not contain our id.
 *
 * @param peer the sockets to this rail; closed with the connector
 */
export function createAirtel(settings: AirtelSettings, peer: Agent): Connector {
  const {
    country,
    currencies,
    firstQueryMs = liveFirstQueryMs,
    missingAfterMs = liveMissingAfterMs,
  } = settings
  const gateway = openGateway(settings, peer)
  const submit = openSubmits(settings, gateway)
  const [mainCurrency = ''] = currencies
  return {
    longestCallMs: longestCallMs(settings),
    preparationMs: longestCallMs(settings) - settings.timeoutMs,
    firstQueryMs,
    missingAfterMs,
    async collect({ payerAccount, orderNumber, ...order }) {
      const msisdn = nationalNumberOf(payerAccount ?? '', country)
      if (msisdn === undefined) return foreignNumber
      const { currency } = order
      const message = {
        reference: orderNumber,
        subscriber: { country, currency, msisdn },
        transaction: { amount: amountOf(order), country, currency, id: order.reference },
      }
      const path = `/merchant/v${settings.signsMessages ? 2 : 1}/payments/`
      return submit(order, path, collectionCodes, settings.signsMessages === true, () => message)
    },
    queryCollection: ({ reference, currency }) =>
      enquire(gateway, '/standard/v1/payments/', reference, currency, collectionCodes),
    ...(settings.pin !== undefined && withDisbursements(settings, settings.pin, gateway, submit)),
    readReport: (received) => readReport(settings.callbackKey, received),
    verifyAccount: (account) =>
      gateway.call(
        {
          method: 'GET',
          path: `/standard/v1/users/${encodeURIComponent(msisdnOf(account))}`,
          currency: mainCurrency,
        },
        holderOf,
      ),
    balances: () => balancesOf(gateway, currencies),
    close: () => peer.close(),
  }
}

function withDisbursements(settings: AirtelSettings, pin: string, gateway: Gateway, submit: Submit) {
  const { country, signsMessages, disbursementVersion: version = signsMessages ? 2 : 1 } = settings
  const pinGuard = guardPin()
  const suffix = version === 1 ? '' : '?transactionType=B2C'
  return {
    async disburse({ payeeAccount, ...order }: Disbursement) {
      const msisdn = nationalNumberOf(payeeAccount, country)
      if (msisdn === undefined) return foreignNumber
      const messageWith = (key: KeyObject | undefined) => ({
        payee: { currency: order.currency, msisdn },
        reference: order.reference.replaceAll('-', ''),
        pin: encryptedPin(must(key, 'key of a PIN'), pin, settings.pinPadding),
        transaction: { amount: amountOf(order), id: order.reference, type: 'B2C' },
      })
      const path = `/standard/v${version}/disbursements/`
      return pinGuard.submit(() => submit(order, path, disbursementCodes, true, messageWith))
    },
    disbursementsAtOnce: pinGuard.atOnce,
    queryDisbursement: ({ reference, currency }) =>
      enquire(
        gateway,
        `/standard/v${version === 1 ? 1 : 2}/disbursements/`,
        reference,
        currency,
        disbursementCodes,
        suffix,
      ),
  } satisfies Partial<Connector>
}

type Submit = ReturnType<typeof openSubmits>

/** Sends messages that move money and, if required, signs and encrypts them with Airtel's key. */
function openSubmits({ signsMessages, currencies: [currency = ''] }: AirtelSettings, gateway: Gateway) {
  const keys = openKeys(gateway, currency)
  return (
    { reference, currency, mayLeave }: MoneyOrder,
    path: string,
    codes: AirtelCodes,
    needsKey: boolean,
    messageWith: (key: KeyObject | undefined) => object,
  ): Promise<SubmitOutcome> => {
    const sendWith = (key?: KeyObject) => {
      const body = JSON.stringify(messageWith(key))
      const headers = key && signsMessages ? signatureOf(key, body) : {}
      return gateway.exchange({ method: 'POST', path, currency, headers, body, mayLeave })
    }
    const sendEncrypted = () =>
      sendWithToken(
        keys,
        (text) => sendWith(must(readKey(text), 'key of Airtel')),
        // If Airtel cannot decrypt the message, it does not start anything.
        ({ body }) => codesOf(parseFields(body) ?? {}).includes(codes.signature),
      )
    return callRail(needsKey ? sendEncrypted : sendWith, (response) => submitted(response, codes, reference))
  }
}

const enquire = (
  gateway: Gateway,
  path: string,
  reference: string,
  currency: string,
  codes: AirtelCodes,
  suffix = '',
) =>
  gateway.call(
    { method: 'GET', path: `${path}${encodeURIComponent(reference)}${suffix}`, currency },
    (response) => outcomeOf(response, codes, reference),
  )

/** Reads our balance in each currency. Each currency has a separate account. */
async function balancesOf(
  gateway: Gateway,
  currencies: readonly string[],
): Promise<RailBalance[] | UnknownOutcome> {
  const balances: RailBalance[] = []
  for (const currency of currencies) {
    const balance = await gateway.call(
      { method: 'GET', path: '/standard/v1/users/balance', currency },
      (response) => balanceOf(response, currency),
    )
    if ('outcome' in balance) return balance
    balances.push(balance)
  }
  return balances
}

const amountOf = ({ amount, currency }: MoneyOrder) => numberOf(amount, currency)

/**
 * The outcome for a number in another country. Airtel expects numbers without a country code. Without its
 * country code, a foreign number could be the number of somebody else in the connection's country.
 */
const foreignNumber: SubmitOutcome = {
  outcome: 'refused',
  ...failure('rejected', 'The number does not belong to the provider’s country.'),
}
