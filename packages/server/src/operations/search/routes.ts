import { type Route, read } from '../../platform/http/commands/route.ts'
import type { Platform } from '../../platform/platform.ts'
import type { PaymentCodeSettings } from '../../ways-to-pay/payment-codes/settings.ts'
import { openSearch } from './search.ts'
import { hits, searchText } from './shapes.ts'

export function searchRoutes({ db, settings }: Platform<PaymentCodeSettings>): Route[] {
  const search = openSearch(db, settings)
  return [
    read({
      url: '/v1/search',
      // All roles have this permission. Each type of object is searched only if the caller may read it.
      permission: 'payments:read',
      summary: 'Search a Space',
      about: 'Finds objects of all types that the caller may read.',
      query: searchText,
      result: hits,
      read: (call) => search(call, call.query.q.trim()),
    }),
  ]
}
