import {
  type Guidance,
  guidanceOf,
  majorAmountOf,
  type OutboundAnswer,
  parseFields,
} from '@pesewa/connector-kit'
import { fieldsOf } from '@pesewa/values'

/** pawaPay's names for the kinds of payment. */
export type PawapayOperation = 'DEPOSIT' | 'PAYOUT' | 'REFUND'

/**
 * pawaPay's rules for our account with a provider, in one currency. Fields that pawaPay does not provide are
 * `undefined`.
 */
export type OperationConf = {
  takesDecimals: boolean | undefined
  /** Minimum amount in minor units. */
  minAmount: bigint | undefined
  maxAmount: bigint | undefined
  /** Instructions for payers who get no prompt or have to create a code first. */
  guidance: Guidance | undefined
}

/**
 * Reads a provider's configuration for each currency. Returns `undefined` if the response does not contain the
 * provider.
 */
export function readActiveConf(
  response: OutboundAnswer,
  name: string,
  operation: PawapayOperation,
): Map<string, OperationConf> | undefined {
  if (response.status !== 200) return undefined
  const providers = listOf(parseFields(response.body)?.countries).flatMap((country) =>
    listOf(fieldsOf(country).providers),
  )
  const provider = providers.find((each) => fieldsOf(each).provider === name)
  if (!provider) return undefined
  return new Map(
    listOf(fieldsOf(provider).currencies).flatMap((each) => {
      const { currency, operationTypes } = fieldsOf(each)
      const conf = fieldsOf(operationTypes)[operation]
      return typeof currency === 'string' && conf !== undefined ? [[currency, confOf(conf, currency)]] : []
    }),
  )
}

function confOf(conf: unknown, currency: string): OperationConf {
  const { decimalsInAmount, minAmount, maxAmount } = fieldsOf(conf)
  return {
    takesDecimals: { NONE: false, TWO_PLACES: true }[String(decimalsInAmount)],
    minAmount: majorAmountOf(minAmount, currency),
    maxAmount: majorAmountOf(maxAmount, currency),
    guidance: stepsOf(instructionsOf(conf)),
  }
}

function instructionsOf(conf: unknown): unknown {
  const { authType, pinPrompt, pinPromptInstructions, authTokenInstructions } = fieldsOf(conf)
  if (authType === 'PREAUTH') return authTokenInstructions
  return authType === 'PROVIDER_AUTH' && pinPrompt === 'MANUAL' ? pinPromptInstructions : undefined
}

/** Joins the steps for the first channel into a single line for each language. */
function stepsOf(of: unknown): Guidance | undefined {
  const [channel] = listOf(fieldsOf(of).channels)
  const { instructions, variables } = fieldsOf(channel)
  const steps = Object.entries(fieldsOf(instructions)).map(
    ([language, list]) => [language, listOf(list).map(fieldsOf)] as const,
  )
  const dialString = [fieldsOf(variables), ...steps.flatMap(([, list]) => list.map(variablesOf))]
    .map(({ shortCode }) => shortCode)
    .find((code) => code !== undefined)
  const texts = Object.fromEntries(
    steps.map(([language, list]) => [language, list.map(({ text }) => text).join('. ')]),
  )
  return guidanceOf({ texts, dialString })
}

const variablesOf = ({ variables }: Record<string, unknown>) => fieldsOf(variables)

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
