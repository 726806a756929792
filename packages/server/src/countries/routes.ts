import { countries, findCountry } from '@pesewa/values'
import Type from 'typebox'
import { list, type Route, read } from '../platform/http/commands/route.ts'
import { object, pathName, withDescription } from '../platform/http/shapes/shapes.ts'
import { Refusal } from '../platform/refusals.ts'

const country = object(
  {
    code: withDescription(Type.String({ examples: ['SL'] }), 'Two-letter ISO 3166-1 code.'),
    name: withDescription(Type.String({ examples: ['Sierra Leone'] }), 'English name.'),
    currency: withDescription(
      object({
        code: withDescription(Type.String({ examples: ['SLE'] }), 'Three-letter ISO 4217 code.'),
        unit: Type.String({ description: 'Name of the minor unit.', examples: ['cent'] }),
        unitLength: Type.Integer({ description: 'Number of decimals.', examples: [2] }),
      }),
      'Default currency of accounts and payment codes.',
    ),
    supportedCurrencies: withDescription(
      Type.Array(Type.String()),
      'Currencies in which a Space in this country can have accounts.',
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
    params: { code: pathName('Two-letter ISO 3166-1 code of the country.', 'SL') },
    summary: 'Retrieve a country',
    permission: null,
    result: country,
    read: async ({ params }) => {
      const country = findCountry(params.code ?? '')
      if (!country) throw new Refusal('not_found', { message: 'This country is not supported.' })
      return country
    },
  }),
]
