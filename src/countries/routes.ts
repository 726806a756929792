import Type from 'typebox'
import { list, type Route, read } from '../platform/http/route.ts'
import { object } from '../platform/http/shapes.ts'
import { Refusal } from '../platform/refusals.ts'
import { countries, findCountry } from './countries.ts'

const country = object(
  {
    code: Type.String({ examples: ['SL'] }),
    name: Type.String({ examples: ['Sierra Leone'] }),
    currency: object({
      code: Type.String({ examples: ['SLE'] }),
      unit: Type.String({ description: 'The name of the minor unit.', examples: ['cent'] }),
      unitLength: Type.Integer({ description: 'The digits of the minor unit.', examples: [2] }),
    }),
    supportedCurrencies: Type.Array(Type.String()),
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
