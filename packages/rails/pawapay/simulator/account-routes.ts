import { nameIn, type Provider } from '@pesewa/connector-kit'
import type { RailRoute, SimulatorParts } from '@pesewa/connector-kit/simulator'
import { fieldsOf, findCountry } from '@pesewa/values'
import { networkOf } from '@pesewa/values/phones'
import { pawapay } from '../protocol.ts'
import { simulatorPublicKey } from '../test-credentials.ts'
import { invalidInput } from './error.ts'
import { countryOf, nameOf } from './request.ts'
import { pawapayRoutesFor } from './routes.ts'

/** Routes for the configuration, balances and keys of the simulated pawaPay account. */
export function accountRoutes(parts: SimulatorParts): RailRoute[] {
  const route = pawapayRoutesFor(parts)
  return [
    route('GET', '/v2/active-conf', 'get the account’s configuration', (provider, { query }) => {
      const { country, operationType } = fieldsOf(query)
      return activeConf(provider, String(country ?? ''), String(operationType ?? ''))
    }),
    route('POST', '/v2/predict-provider', 'predict a number’s provider', (_provider, { body }) => {
      const { phoneNumber } = fieldsOf(body)
      if (typeof phoneNumber !== 'string' || !/^[1-9][0-9]{5,14}$/.test(phoneNumber)) throw invalidInput()
      const name = predict(parts, phoneNumber)
      if (!name) throw invalidInput()
      return { country: name.slice(-3), provider: name, phoneNumber }
    }),
    route('GET', '/v2/wallet-balances', 'get the wallet balances', (provider) => {
      const country = countryOf(provider)
      return {
        balances: provider.currencies.map((currency) => ({ country, currency, balance: '1000000.00' })),
      }
    }),
    route('GET', '/v2/public-key/http', 'get the callback signing keys', () => [
      simulatorPublicKey(parts.seals),
    ]),
  ]
}

/** Predicts a number's provider from the network that issued the number, without regard to porting. */
function predict({ catalogue }: SimulatorParts, phoneNumber: string): string | undefined {
  const network = networkOf(`+${phoneNumber}`)
  const ofNetwork = catalogue
    .list('momo', network?.country)
    .filter((provider) => provider.network?.codes.some((code) => network?.codes.includes(code)))
  return ofNetwork.map((provider) => nameIn(pawapay.name, provider)).find((name) => name !== undefined)
}

function activeConf(provider: Provider, country: string, operation: string): object {
  const currencies = provider.currencies.map((currency) => ({
    currency,
    displayName: currency,
    operationTypes: { [operation]: operationConf(provider, operation) },
  }))
  const shown = { provider: nameOf(provider), displayName: provider.name, currencies }
  const displayName = { en: findCountry(provider.country)?.name ?? provider.country }
  const isThere = country === '' || country === countryOf(provider)
  return {
    companyName: 'Simulated',
    countries: isThere ? [{ country: countryOf(provider), displayName, providers: [shown] }] : [],
  }
}

/** Providers whose payers receive no prompt and must therefore dial. */
const dialled = ['ORANGE_CIV']

function operationConf(provider: Provider, operation: string): object {
  const bounds = { minAmount: '1', maxAmount: '90000000000000', decimalsInAmount: 'TWO_PLACES' }
  const common = { ...bounds, status: 'OPERATIONAL' }
  if (operation !== 'DEPOSIT') return common
  if (provider.featureSet.payment.schemes.includes('redirect'))
    return { ...common, authType: 'REDIRECT_AUTH' }
  if (provider.featureSet.payment.schemes.includes('preauth'))
    return { ...common, authType: 'PREAUTH', authTokenInstructions }
  if (!dialled.includes(nameOf(provider)))
    return { ...common, authType: 'PROVIDER_AUTH', pinPrompt: 'AUTOMATIC' }
  return { ...common, authType: 'PROVIDER_AUTH', pinPrompt: 'MANUAL', pinPromptInstructions }
}

const instructionsOf = (shortCode: string, steps: { en: string[]; fr: string[] }) => {
  const step = (text: string) => ({ text, template: text, variables: { shortCode } })
  return {
    channels: [
      {
        type: 'USSD',
        displayName: { en: 'Follow these steps', fr: 'Suivez ces étapes' },
        instructions: {
          en: [`Dial ${shortCode}`, ...steps.en].map(step),
          fr: [`Composez ${shortCode}`, ...steps.fr].map(step),
        },
      },
    ],
  }
}
const pinPromptInstructions = instructionsOf('*555*6#', { en: ['Enter PIN'], fr: ['Entrez le code PIN'] })
const authTokenInstructions = instructionsOf('*555*7#', {
  en: ['Enter amount', 'Enter PIN', 'Use OTP'],
  fr: ['Entrez le montant', 'Entrez le code PIN', 'Utilisez le code reçu'],
})
