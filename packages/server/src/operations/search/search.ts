import { must } from '@pesewa/values'
import type { Database } from '../../platform/db/database.ts'
import type { Call } from '../../platform/http/commands/route.ts'
import { selectSpace } from '../../tenants/spaces/store.ts'
import { readDialString } from '../../ways-to-pay/payment-codes/payment-codes.ts'
import type { PaymentCodeSettings } from '../../ways-to-pay/payment-codes/settings.ts'
import { openIdentified } from './identified.ts'
import { hasCurrency, searched } from './matches.ts'
import { amountsIn } from './question.ts'
import { type Hit, maxHits } from './shapes.ts'

/** Hits of one type and kind of match. The console links to the type's list, which has all of them. */
const maxOfType = 8 // limit: results of a search of the same type

type Searching = Pick<Call, 'scope' | 'may'>

/** Returns the function that answers searches. */
export function openSearch(db: Database, settings: PaymentCodeSettings) {
  const findIdentified = openIdentified(db)
  return async ({ scope, may }: Searching, text: string): Promise<Hit[]> => {
    const identified = await findIdentified(scope, may, text.toLowerCase())
    if (identified) return identified
    const types = searched.filter(({ permission }) => may(permission))
    const page = { take: maxOfType, after: undefined }
    const collect = async (found: (Promise<Hit[]> | undefined)[]) =>
      (await Promise.all(found)).flatMap((hits = []) => hits)
    const identifier = { q: text, code: readDialString(settings, text) ?? text }
    const { country } = must(await selectSpace(db, scope.spaceId), 'Space of a call')
    const matches = await collect([
      ...types.map(({ byIdentifier }) => byIdentifier?.(db, scope, identifier, page)),
      ...amountsIn(text, country).flatMap((amount) =>
        types.map(async ({ byAmount }) =>
          ((await byAmount?.(db, scope, amount.value, page)) ?? []).filter((hit) => hasCurrency(hit, amount)),
        ),
      ),
    ])
    const isName = matches.length === 0 && /\p{L}/u.test(text)
    const named = isName ? await collect(types.map(({ byName }) => byName?.(db, scope, text, page))) : []
    return [...unique([...matches, ...named]).values()].slice(0, maxHits)
  }
}

const unique = (hits: Hit[]) => new Map(hits.map((hit) => [hit.id, hit]))
