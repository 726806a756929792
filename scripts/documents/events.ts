import { describeEventType, schemaTitle, subscribableTypes } from '../../packages/server/src/events/types.ts'
import type { Route } from '../../packages/server/src/platform/http/commands/route.ts'
import { isApiRoute } from '../../packages/server/src/reference.ts'
import { code, page, table, writtenByCode } from './markdown.ts'

/** Writes `docs/reference/events.md`. */
export function writeEvents(routes: Route[]): string {
  const shown = new Set(routes.filter(isApiRoute).map(({ result }) => (result as { title?: string }).title))
  const rows = subscribableTypes().map((type) => {
    if (type === 'ledger.chained')
      return [code(type), describeEventType(type), '[The head of the chain](../guides/books.md)']
    const title = schemaTitle(type)
    return [
      code(type),
      describeEventType(type),
      shown.has(title) ? `[${title}](api.md#${title.toLowerCase()})` : title,
    ]
  })
  return page(
    writtenByCode('packages/server/src/**/resources.ts'),
    '# Events',
    'An event is written in the transaction of the change that it reports, so neither exists without the other. Its data is the object exactly as GET returned it at that moment.',
    table(['Type', 'What happened', 'Data'], rows),
  )
}
