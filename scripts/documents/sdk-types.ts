import { countries } from '../../src/countries/countries.ts'
import { minorDigits } from '../../src/countries/money.ts'
import { subscribableTypes, titleOf } from '../../src/events/types.ts'
import { openApiOf } from '../../src/platform/http/openapi.ts'
import type { Route } from '../../src/platform/http/route.ts'
import { refusalCatalogue } from '../../src/platform/refusals.ts'
import { commentOf, type Shape, typeOf } from './schema-types.ts'

const written = '// Written by `npm run write` from the routes: edit those instead.\n'

/** The objects of the API as types of the client: what is only read may have values that this version does not know. */
export function writeSdkTypes(routes: Route[]): string {
  const { paths, components } = openApiOf(routes, '')
  // The document is ours, and has these members.
  const schemas = Object.entries((components as { schemas: Record<string, Shape> }).schemas)
  const sent = sentIn(paths, Object.fromEntries(schemas))
  const names = new Set(schemas.map(([name]) => name))
  return [
    written,
    ...schemas
      .filter(([name]) => name !== 'Error')
      .map(([name, shape]) => {
        const type = typeOf(shape, { isOpen: !sent.has(name), indent: '' })
        return `${commentOf(shape.description ?? '')}export type ${name} = ${type}\n`
      }),
    `export type ErrorReason =\n${Object.keys(refusalCatalogue)
      .map((reason) => `  | '${reason}'`)
      .join('\n')}\n`,
    eventBase,
    `/** What a webhook receives: its \`type\` says of what its \`data\` is. Later versions may send more types. */\nexport type WebhookEvent =\n${subscribableTypes()
      .map((type) => {
        const title = titleOf(type)
        return `  | EventOf<'${type}', ${names.has(title) ? title : 'Record<string, unknown>'}>`
      })
      .join('\n')}\n`,
  ].join('\n')
}

const eventBase = `type EventOf<Type extends string, Data> = {
  id: string
  type: Type
  apiVersion: string
  environment: 'test' | 'live'
  spaceId: string
  timestamp: string
  /** Rises by one in a Space and environment. */
  sequence: number
  object: { id: string; type: string }
  /** As it was then. */
  data: Data
  /** Of events of a checkout session that was created with one. */
  callbackState?: string | null
}
`

/** The shapes that are sent, directly or inside others. */
function sentIn(paths: unknown, schemas: Record<string, Shape>): Set<string> {
  const sent = new Set<string>()
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, entry] of Object.entries(value)) {
      const name = key === '$ref' ? nameIn(entry) : undefined
      if (name === undefined) visit(entry)
      else if (!sent.has(name)) {
        sent.add(name)
        visit(schemas[name])
      }
    }
  }
  for (const methods of Object.values(paths as Record<string, Record<string, Sending>>))
    for (const { parameters, requestBody } of Object.values(methods)) visit([parameters, requestBody])
  return sent
}

const nameIn = (reference: unknown): string | undefined =>
  /^#\/components\/schemas\/(\w+)$/.exec(String(reference))?.[1]

type Sending = { parameters?: unknown; requestBody?: unknown }

/** All that the service takes: of others the client does not guess. */
export function writeSdkCurrencies(): string {
  const codes = [...new Set(countries.flatMap(({ supportedCurrencies }) => supportedCurrencies))].sort()
  return [
    '// Written by `npm run write` from `src/countries`: edit that instead.',
    '',
    '/** Digits after the point. */',
    'export const digits: Readonly<Record<string, number>> = {',
    ...codes.map((code) => `  ${code}: ${minorDigits(code)},`),
    '}',
    '',
  ].join('\n')
}
