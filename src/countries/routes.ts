import Type from 'typebox'
import { list, type Route, read } from '../platform/http/route.ts'
import { described, object, pathName } from '../platform/http/shapes.ts'
import { Refusal } from '../platform/refusals.ts'
import { countries, findCountry } from './countries.ts'

const country = object(
  {
    code: described(Type.String({ examples: ['SL'] }), 'Its two letters of ISO 3166-1.'),
    name: described(Type.String({ examples: ['Sierra Leone'] }), 'What it is called in English.'),
    currency: described(
      object({
        code: described(Type.String({ examples: ['SLE'] }), 'Its three letters of ISO 4217.'),
        unit: Type.String({ description: 'The name of the minor unit.', examples: ['cent'] }),
        unitLength: Type.Integer({ description: 'The digits of the minor unit.', examples: [2] }),
      }),
      'The currency of accounts and codes where none is named.',
    ),
    supportedCurrencies: described(
      Type.Array(Type.String()),
      'Currencies that a Space of this country can have accounts in.',
      ['SLE', 'USD'],
    ),
  },
  { title: 'Country' },
)

export const countryRoutes: Route[] = [
  list({
    url: '/v1/countries',
    summary: 'List countries',
    permission: null,
    result: country,
    list: async (_call, { take, after = '' }) => countries.filter(({ code }) => code > after).slice(0, take),
    position: ({ code }) => code,
    present: (row) => row,
  }),
  read({
    url: '/v1/countries/:code',
    params: { code: pathName('The country, by its two letters of ISO 3166-1.', 'SL') },
    summary: 'Retrieve a country',
    permission: null,
    result: country,
    read: async ({ params }) => {
      const country = findCountry(params.code ?? '')
      if (!country) throw new Refusal('not_found', { message: 'There is no such country here.' })
      return country
    },
  }),
]
