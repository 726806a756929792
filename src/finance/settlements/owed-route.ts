import { wholeNumber } from '@pesewa/values'
import Type from 'typebox'
import { shownMoney } from '../../countries/shapes.ts'
import { type Route, read } from '../../platform/http/commands/route.ts'
import { idOf, object, withDescription } from '../../platform/http/shapes/shapes.ts'
import { showId } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'
import { environments } from '../../platform/scope.ts'
import { spaceIds } from '../../tenants/spaces/resources.ts'
import { settlement } from './shapes.ts'
import { selectOwed } from './store.ts'

const owed = object(
  {
    environment: Type.Enum(environments, { description: 'Environment of the money: `test` or `live`.' }),
    providerId: withDescription(Type.String({ examples: ['m17'] }), 'Provider that owes the money.'),
    direction: settlement.properties.direction,
    amount: withDescription(shownMoney, 'Amount owed; negative if it is owed to the provider.'),
    spaceId: withDescription(idOf(spaceIds), 'Id of the Space.'),
  },
  { title: 'Owed' },
)

/** The route for operators to list what providers owe. */
export const owedRoutes = ({ db }: Pick<Platform, 'db'>): Route[] => [
  read({
    url: '/v1/installation/owed',
    permission: 'installation:read',
    summary: 'List what each provider owes each Space',
    result: object(
      { owed: withDescription(Type.Array(owed), 'Amounts, by provider.') },
      { title: 'OwedByProviders' },
    ),
    read: async () => ({
      owed: (await selectOwed(db)).map(({ spaceId, currency, owed: value, ...one }) => ({
        ...one,
        amount: { currency, value: wholeNumber(value) },
        spaceId: showId(spaceIds, spaceId),
      })),
    }),
  }),
]
