import type { Collection, Connector, Guidance, RailQuery, SubmitOutcome } from '@pesewa/connector-kit'
import type { OperationConf } from './active-conf.ts'
import { amountFor } from './amounts.ts'
import type { BackgroundCache } from './background-cache.ts'
import { messageOf, partyOf } from './documents.ts'
import type { openPawapay, PawapaySettings } from './rail.ts'
import { outcomeOf } from './responses.ts'

type Conf = BackgroundCache<Map<string, OperationConf>>
type SubmitDeposit = (order: Collection, body: object) => Promise<SubmitOutcome>
type Deposits = Pick<Connector, 'collect' | 'queryCollection' | 'submitCode'>

/**
 * Asks the payer to pay: immediately or, for providers whose payers have to create a code first, after the
 * payer has entered that code.
 */
export function openDeposits(
  settings: PawapaySettings,
  rail: Pick<ReturnType<typeof openPawapay>, 'get'>,
  conf: Conf,
  submit: SubmitDeposit,
): Deposits {
  const { name, pageOrigin, isRedirect, isPreauth } = settings
  const guidanceIn = (currency: string) => conf.current()?.get(currency)?.guidance
  const query = ({ reference }: RailQuery, guidance: Guidance | undefined) =>
    rail.get(`/v2/deposits/${reference}`, (response) =>
      outcomeOf(response, { kind: 'collect', reference }, { pageOrigin, guidance }),
    )
  const deposit = (order: Collection, more: object = {}) => {
    const { payerAccount, orderNumber, returnUrl } = order
    const page = isRedirect && returnUrl !== null && { successfulUrl: returnUrl, failedUrl: returnUrl }
    const party = { payer: partyOf(name, payerAccount ?? ''), clientReferenceId: orderNumber }
    return submit(order, { ...party, ...messageOf(order), ...page, ...more })
  }
  if (isPreauth) return preauthorised(name, conf, deposit, query)
  return {
    async collect(order) {
      const result = await deposit(order)
      const guidance = result.outcome === 'accepted' && guidanceIn(order.currency)
      return guidance ? { ...result, guidance } : result
    },
    queryCollection: (about) => query(about, guidanceIn(about.currency)),
  }
}

/**
 * Empty instructions. After the payer has entered the code and has nothing left to do, they replace the
 * instructions for getting a code.
 */
const codeIsGiven: Guidance = { texts: {}, dialString: null }

/**
 * Collects from payers who have to create a code first. pawaPay receives the deposit together with the code,
 * and only once: a wrong code makes the deposit fail. Queries find nothing until the code has been sent, so
 * pawaPay's `NOT_FOUND` is not trusted before the payer has entered the code.
 */
function preauthorised(
  name: string,
  conf: Conf,
  deposit: (order: Collection, more: object) => Promise<SubmitOutcome>,
  query: (about: RailQuery, guidance: Guidance) => ReturnType<Connector['queryCollection']>,
): Deposits {
  return {
    async collect(order) {
      // Waits for the provider's configuration, which contains the instructions for getting the code.
      const limits = (await conf.loaded())?.get(order.currency)
      const amount = amountFor(name, 'DEPOSIT', order, limits)
      if (typeof amount !== 'string') return { outcome: 'refused', ...amount }
      return { outcome: 'accepted', guidance: { ...codeIsGiven, ...limits?.guidance, asksForCode: true } }
    },
    async submitCode(order, code) {
      const result = await deposit(order, { preAuthorisationCode: code })
      return result.outcome === 'accepted' ? { ...result, guidance: codeIsGiven } : result
    },
    queryCollection: (about) => query(about, codeIsGiven),
  }
}
