import { renderCode } from '../code.ts'
import { anchorOf, type Heading, type Rendered } from '../markdown.ts'
import { renderTemplate } from '../pages/templates.ts'
import { inline, viewsOf } from './field-views.ts'
import { groupsOf } from './fields.ts'
import {
  componentOf,
  exampleOf,
  type OpenApiDocument,
  type OpenApiOperation,
  type OpenApiSchema,
  partsOf,
  resolveReference,
} from './open-api.ts'
import { fenced, groupsMarkdown, joined } from './resource-markdown.ts'

type Payload = { name: string; operation: OpenApiOperation }

export const payloadsOf = ({ webhooks = {} }: OpenApiDocument): Payload[] =>
  Object.entries(webhooks).flatMap(([name, operations]) =>
    Object.values(operations).map((operation) => ({ name, operation })),
  )

/**
 * Renders the page of webhook events. The envelope that all events share is described once. For `data`, the
 * page links to the description of the object, if the reference has one.
 */
export function renderPayloads(
  payloads: Payload[],
  document: OpenApiDocument,
  addressOfAnchor: (anchor: string) => string | undefined,
): Rendered {
  const title = 'Webhook events'
  const shown = payloads.map((payload) => {
    const media = partsOf(payload.operation, document).body
    const example = exampleOf(document, media)
    const data = media?.schema && resolveReference<OpenApiSchema>(document, media.schema).properties?.data
    const object = data && componentOf(data)
    const address = object && addressOfAnchor(anchorOf(object))
    return {
      id: anchorOf(payload.name),
      name: payload.name,
      summary: payload.operation.summary ?? '',
      object: address && { name: object, address },
      groups: data && !address ? viewsOf(groupsOf(document, data)) : [],
      example:
        example === undefined ? '' : renderCode({ code: JSON.stringify(example, null, 2), language: 'json' }),
    }
  })
  const { parameters = [], body } = payloads[0] ? partsOf(payloads[0].operation, document) : {}
  const envelope = body?.schema ? viewsOf(groupsOf(document, body.schema)) : []
  const fields = envelope
    .flatMap(({ fields }) => fields)
    .map((field) => (field.name === 'data' ? { ...field, inner: [] } : field))
  const headings: Heading[] = shown.map(({ id, name }) => ({ id, text: name, depth: 2 }))
  const html = renderTemplate('payloads', {
    title,
    payloads: shown,
    envelope: [{ name: '', fields }],
    headers: parameters.map(({ name, description = '' }) => ({ name, description: inline(description) })),
  })
  return { title, html, headings }
}

/** Renders the events as Markdown: the fields that all share, then each with the type of its data. */
export function payloadsMarkdown(payloads: Payload[], document: OpenApiDocument): string {
  const { body } = payloads[0] ? partsOf(payloads[0].operation, document) : {}
  return joined([
    '# Webhook events',
    'Each event is sent to your webhooks as signed JSON.',
    body?.schema && groupsMarkdown(groupsOf(document, body.schema)),
    ...payloads.map(({ name, operation }) => {
      const example = exampleOf(document, partsOf(operation, document).body)
      return joined([
        `## \`${name}\``,
        operation.summary,
        example !== undefined && fenced({ language: 'json', code: JSON.stringify(example, null, 2) }),
      ])
    }),
  ])
}
