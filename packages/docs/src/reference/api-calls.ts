import { anchorOf } from '../markdown.ts'
import { componentOf, exampleOf, type OpenApiDocument, type OpenApiOperation, partsOf } from './open-api.ts'

export type ApiCall = { tag: string; id: string; method: string; path: string; operation: OpenApiOperation }

export const callsOf = (document: OpenApiDocument): ApiCall[] => {
  const order = (document.tags ?? []).map(({ name }) => name)
  return Object.entries(document.paths)
    .flatMap(([path, operations]) =>
      Object.entries(operations).map(([lower, operation]) => {
        const method = lower.toUpperCase()
        return {
          tag: operation.tags?.[0] ?? 'others',
          id: anchorOf(`${method} ${path}`),
          method,
          path,
          operation,
        }
      }),
    )
    .toSorted((a, b) => order.indexOf(a.tag) - order.indexOf(b.tag))
}

/** Titles of resources whose tag is an abbreviation. */
const titles: Record<string, string> = {
  'ussd-otps': 'One-time passwords (USSD)',
  momos: 'Mobile money providers',
  'provider-kyc': 'Account holders',
  me: 'The caller',
  totp: 'Authenticator app',
  overview: 'Overview of today',
  requests: 'API requests',
  deliveries: 'Webhook deliveries',
  settings: 'Space settings',
  installation: 'Installation',
}

/** Converts a tag to a title: `checkout-sessions` becomes `Checkout sessions`. */
export const titleOf = (tag: string) =>
  titles[tag] ?? tag.replaceAll('-', ' ').replace(/^./, (letter) => letter.toUpperCase())

/**
 * Returns whether an object belongs to the page of a resource: `CheckoutSession` belongs to
 * `checkout-sessions`. Other pages may show the object, too.
 */
export const isOwnPage = (tag: string, object: string) =>
  tag.replaceAll('-', '').startsWith(object.toLowerCase())

/** Returns the names of the components that the calls return, without duplicates. */
export function objectNamesOf(calls: ApiCall[], document: OpenApiDocument): string[] {
  const names = calls.flatMap(({ operation }) => {
    const { shape } = describeResponse(operation, document)
    return (shape && componentOf(shape)) ?? []
  })
  return [...new Set(names)]
}

/**
 * Returns the schema of the result inside the response envelope, or of the whole response if it has no
 * envelope.
 */
export function describeResponse(operation: OpenApiOperation, document: OpenApiDocument) {
  const { content = {}, description = '' } = partsOf(operation, document).response ?? {}
  const types = Object.keys(content)
  const media = content['application/json'] ?? content[types[0] ?? '']
  const whole = media?.schema
  const result = whole?.properties?.result
  const isList = whole?.properties?.pagination !== undefined
  return {
    types,
    description,
    isList,
    shape: isList ? result?.items : (result ?? whole),
    example: exampleOf(document, media),
  }
}
