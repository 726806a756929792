import { renderCode, renderSamples } from '../code.ts'
import { anchorOf, type Heading, type Rendered, renderInline, renderMarkdown } from '../markdown.ts'
import { renderTemplate } from '../pages/templates.ts'
import { fieldOf, groupsOf, type ShownField, type ShownGroup } from './fields.ts'
import { isHome } from './home.ts'
import {
  componentOf,
  exampleOf,
  type OpenApiContent,
  type OpenApiDocument,
  type OpenApiOperation,
  type OpenApiParameter,
  type OpenApiSchema,
  resolved,
} from './open-api.ts'
import { markPlaceholders, placeholders, samplesOf } from './requests.ts'
import { ofSessions, sdkMethodOf } from './sdk-methods.ts'

/** The reference of the API as pages: one for each tag, one of what webhooks send, and their contents. */
export type Reference = {
  contents: { title: string; address: string; calls: CallEntry[] }[]
  addresses: string[]
  render(address: string): Rendered | undefined
  /** Where `docs/reference/api.md` says what this says: its anchors are those of that file. */
  addressOfAnchor(anchor: string): string | undefined
}

export type CallEntry = { id: string; method: string; path: string; summary: string; address: string }

export const referenceAddress = '/docs/reference/api'
const payloadsAddress = '/docs/reference/payloads'
export const errorsAddress = '/docs/reference/errors'

/** `canSend`: whether the page stands where the API is. */
export type ReferenceOptions = { document: OpenApiDocument; canSend: boolean }

export function openReference(options: ReferenceOptions): Reference {
  const { document } = options
  const calls = callsOf(document)
  const byTag = Map.groupBy(calls, ({ tag }) => tag)
  const tags = [...byTag].map(([tag, own]) => ({
    tag,
    title: titleOf(tag),
    address: `${referenceAddress}/${tag}`,
    calls: own,
  }))
  const contents = tags.map(({ title, address, calls }) => ({
    title,
    address,
    calls: calls.map(({ id, method, path, operation }) => ({
      id,
      method,
      path,
      summary: operation.summary ?? '',
      address: `${address}#${id}`,
    })),
  }))
  const payloads = payloadsOf(document)
  const anchors = new Map([
    ...tags
      .flatMap(({ title, calls, address }) =>
        objectNamesOf(calls, document).map((name) => ({
          id: anchorOf(name),
          address,
          isAtHome: isHome(title, name),
        })),
      )
      // The last one is kept.
      .toSorted((a, b) => Number(a.isAtHome) - Number(b.isAtHome))
      .map(({ id, address }) => [id, address] as const),
    ...tags.map(({ tag, address }) => [tag, address] as const),
    ...tags.flatMap(({ calls, address }) => calls.map(({ id }) => [id, address] as const)),
  ])
  const addressOfAnchor = (anchor: string) => {
    const address = anchors.get(anchor)
    return address && (byTag.has(anchor) ? address : `${address}#${anchor}`)
  }
  const pages = new Map<string, () => Rendered>([
    [referenceAddress, () => renderContents(contents, payloads.length > 0, options)],
    ...tags.map((page) => [page.address, () => renderTag(page, options)] as const),
    ...(payloads.length > 0
      ? [[payloadsAddress, () => renderPayloads(payloads, document, addressOfAnchor)] as const]
      : []),
  ])
  return {
    contents: [
      { title: 'All calls', address: referenceAddress, calls: [] },
      ...contents,
      ...(payloads.length > 0 ? [{ title: 'What webhooks send', address: payloadsAddress, calls: [] }] : []),
    ],
    addresses: [...pages.keys()],
    render: (address) => pages.get(address)?.(),
    addressOfAnchor,
  }
}

type ApiCall = { tag: string; id: string; method: string; path: string; operation: OpenApiOperation }

const callsOf = (document: OpenApiDocument): ApiCall[] => {
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

/** `checkout-sessions` is `Checkout sessions`. */
const titleOf = (tag: string) =>
  tag
    .replaceAll('-', ' ')
    .replace(/\b(?:ussd|otp|kyc|totp)(?=s?\b)/g, (word) => word.toUpperCase())
    .replace(/^./, (letter) => letter.toUpperCase())

function renderContents(
  contents: Reference['contents'],
  hasPayloads: boolean,
  { document, canSend }: ReferenceOptions,
): Rendered {
  const title = 'API reference'
  const about = renderMarkdown(document.info?.description ?? '', noLinks).html
  const html = renderTemplate('reference', {
    title,
    contents,
    about,
    canSend,
    // Where it is not known which service the samples are to call.
    asksForBase: !canSend && baseOf(document) === placeholders.base,
    payloads: hasPayloads && payloadsAddress,
  })
  const headings = [
    { id: 'every-call', text: 'Every call', depth: 2 },
    { id: 'calls', text: 'All calls', depth: 2 },
  ]
  return { title, html, headings }
}

type TagPage = { tag: string; title: string; calls: ApiCall[] }

function renderTag({ tag, title, calls }: TagPage, options: ReferenceOptions): Rendered {
  const { document } = options
  const description = document.tags?.find(({ name }) => name === tag)?.description
  const objects = objectsOf(calls, document)
  const shown = calls.map((call) => shownCall(call, options, objects))
  const html = renderTemplate('resource', {
    title,
    description: description ? renderMarkdown(description, noLinks).html : '',
    calls: shown,
    objects,
  })
  const headings = [
    ...shown.map(({ id, summary }) => ({ id, text: summary, depth: 2 })),
    ...objects.map(({ id, name }) => ({ id, text: name, depth: 2 })),
  ]
  return { title, html, headings }
}

const noLinks = { resolveLink: () => undefined }
const inline = (markdown: string) => renderInline(markdown, noLinks)

/** The fields of a group as the templates show them. */
type FieldView = Omit<ShownField, 'description' | 'bounds' | 'inner'> & {
  description: string
  bounds: string[]
  inner: GroupView[]
}
type GroupView = { name: string; fields: FieldView[] }

const viewsOf = (groups: ShownGroup[]): GroupView[] =>
  groups.map(({ name, fields }) => ({ name, fields: fields.map(viewOf) }))

const viewOf = (field: ShownField): FieldView => ({
  ...field,
  description: inline(field.description),
  bounds: field.bounds.map(inline),
  inner: viewsOf(field.inner),
})

/** The components that calls return, each once. */
function objectNamesOf(calls: ApiCall[], document: OpenApiDocument): string[] {
  const names = calls.flatMap(({ operation }) => {
    const { shape } = answerOf(operation, document)
    return (shape && componentOf(shape)) ?? []
  })
  return [...new Set(names)]
}

function objectsOf(calls: ApiCall[], document: OpenApiDocument) {
  return objectNamesOf(calls, document).map((name) => {
    const schema = { $ref: `#/components/schemas/${name}` }
    return {
      id: anchorOf(name),
      name,
      description: inline(resolved<OpenApiSchema>(document, schema).description ?? ''),
      groups: viewsOf(groupsOf(document, schema)),
    }
  })
}

/** What stands in the envelope, or the answer itself where there is none. */
function answerOf({ responses = {} }: OpenApiOperation, document: OpenApiDocument) {
  const response = responses['200'] && resolved<OpenApiContent>(document, responses['200'])
  const { content = {}, description = '' } = response ?? {}
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

function shownCall(call: ApiCall, options: ReferenceOptions, objects: { id: string; name: string }[]) {
  const { document, canSend } = options
  const { id, method, path, operation } = call
  const parameters = (operation.parameters ?? []).map((each) => resolved<OpenApiParameter>(document, each))
  const inPlace = (place: string) => parameters.filter((parameter) => parameter.in === place)
  const taken = operation.requestBody && resolved<OpenApiContent>(document, operation.requestBody)
  const media = taken?.content?.['application/json']
  const answer = answerOf(operation, document)
  const body = media && (exampleOf(document, media) ?? {})
  const component = answer.shape && componentOf(answer.shape)
  const object = objects.find(({ name }) => name === component)
  const isForPeople = ofSessions.includes(call.tag) || (operation.security?.length === 0 && method !== 'GET')
  const lastsLong = answer.types.includes('text/event-stream')
  const fields = (place: string) =>
    inPlace(place).map(({ name, required = false, schema = {}, description, example }) =>
      viewOf(
        fieldOf(
          document,
          name,
          { ...schema, ...(description && { description }), ...(example !== undefined && { example }) },
          required,
        ),
      ),
    )
  return {
    id,
    method,
    path,
    summary: operation.summary ?? id,
    description: renderMarkdown(operation.description ?? '', noLinks).html,
    headers: inPlace('header').map(({ name, required }) => ({ name, isRequired: required ?? false })),
    inAddress: fields('path'),
    inQuery: fields('query'),
    body: media?.schema ? viewsOf(groupsOf(document, media.schema)) : [],
    isForPeople,
    samples: isForPeople
      ? ''
      : renderSamples(
          samplesOf(exampleCall(call, { parameters, body, answer, lastsLong, options })),
          markPlaceholders,
        ),
    answer: {
      ...answer,
      object,
      groups: answer.shape && !object ? viewsOf(groupsOf(document, answer.shape)) : [],
      otherTypes: answer.types.filter((type) => type !== 'application/json'),
      example:
        answer.example === undefined
          ? ''
          : renderCode({ code: JSON.stringify(answer.example, null, 2), language: 'json' }),
    },
    reasons: operation['x-reasons'] ?? [],
    // What is of the installation is not for trying out, and what is of people has no token.
    sending:
      canSend && !isForPeople && !lastsLong && call.tag !== 'installation'
        ? {
            inAddress: inPlace('path').map((parameter) => ({
              name: parameter.name,
              value: exampleText(parameter),
            })),
            query: method === 'GET' && inPlace('query').length > 0,
            body: body === undefined ? undefined : JSON.stringify(body, null, 2),
            hasKey: inPlace('header').some(({ name }) => name === 'Idempotency-Key'),
            hasSpace: inPlace('header').some(({ name }) => name === 'Service-Space-Id'),
          }
        : undefined,
  }
}

type ExampleParts = {
  parameters: OpenApiParameter[]
  body: unknown
  answer: { isList: boolean }
  lastsLong: boolean
  options: ReferenceOptions
}

function exampleCall(call: ApiCall, { parameters, body, answer, lastsLong, options }: ExampleParts) {
  const { method, path, operation } = call
  const { document } = options
  const has = (header: string) => parameters.some(({ name }) => name === header)
  const inAddress = parameters.filter((parameter) => parameter.in === 'path')
  const query = Object.fromEntries(
    parameters
      .filter(
        (parameter) =>
          parameter.in === 'query' && (parameter.required || (answer.isList && parameter.name === 'limit')),
      )
      .map((parameter) => [parameter.name, parameter.name === 'limit' ? 10 : exampleValue(parameter)]),
  )
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  )
  const filled = inAddress.reduce(
    (all, parameter) =>
      all.replace(`{${parameter.name}}`, encodeURIComponent(exampleText(parameter)).replaceAll('%2B', '+')),
    path,
  )
  const { resource, name } = sdkMethodOf({ method, path, isList: answer.isList })
  return {
    method,
    baseUrl: baseOf(document),
    path: `${filled}${search.size > 0 ? `?${search}` : ''}`,
    hasToken: operation.security === undefined,
    hasSpace: has('Service-Space-Id'),
    hasKey: has('Idempotency-Key'),
    lastsLong,
    body,
    sdk: !path.startsWith('/v1/')
      ? undefined
      : {
          method: [...resource, name].join('.'),
          values: inAddress.map(exampleText),
          query,
          isList: answer.isList,
        },
  }
}

const baseOf = ({ servers }: OpenApiDocument) => (servers?.[0]?.url ?? '').replace(/\/$/, '')

const exampleValue = ({ name, example, schema }: OpenApiParameter): unknown =>
  example ??
  schema?.examples?.[0] ??
  schema?.example ??
  schema?.enum?.[0] ??
  schema?.const ??
  name.toUpperCase()
const exampleText = (parameter: OpenApiParameter) => String(exampleValue(parameter))

type Payload = { name: string; operation: OpenApiOperation }

const payloadsOf = ({ webhooks = {} }: OpenApiDocument): Payload[] =>
  Object.entries(webhooks).flatMap(([name, operations]) =>
    Object.values(operations).map((operation) => ({ name, operation })),
  )

/** What all of them have is said once; what is in `data` stands with the resource. */
function renderPayloads(
  payloads: Payload[],
  document: OpenApiDocument,
  addressOfAnchor: (anchor: string) => string | undefined,
): Rendered {
  const title = 'What webhooks send'
  const mediaOf = ({ operation }: Payload) =>
    operation.requestBody &&
    resolved<OpenApiContent>(document, operation.requestBody).content?.['application/json']
  const shown = payloads.map((payload) => {
    const media = mediaOf(payload)
    const example = exampleOf(document, media)
    const data = media?.schema && resolved<OpenApiSchema>(document, media.schema).properties?.data
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
  const schema = payloads[0] && mediaOf(payloads[0])?.schema
  const envelope = schema ? viewsOf(groupsOf(document, schema)) : []
  const fields = envelope
    .flatMap(({ fields }) => fields)
    .map((field) => (field.name === 'data' ? { ...field, inner: [] } : field))
  const headers = (payloads[0]?.operation.parameters ?? []).map((each) =>
    resolved<OpenApiParameter>(document, each),
  )
  const headings: Heading[] = shown.map(({ id, name }) => ({ id, text: name, depth: 2 }))
  const html = renderTemplate('payloads', {
    title,
    payloads: shown,
    envelope: [{ name: '', fields }],
    headers: headers.map(({ name, description = '' }) => ({ name, description: inline(description) })),
  })
  return { title, html, headings }
}
