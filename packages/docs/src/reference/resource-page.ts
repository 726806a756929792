import { renderCode, renderSamples } from '../code.ts'
import { anchorOf, type Rendered, renderMarkdown } from '../markdown.ts'
import { renderTemplate } from '../pages/templates.ts'
import { type ApiCall, describeResponse, objectNamesOf } from './api-calls.ts'
import { exampleCall, exampleText } from './example-call.ts'
import { inline, noLinks, viewOf, viewsOf } from './field-views.ts'
import { fieldOf, groupsOf } from './fields.ts'
import {
  componentOf,
  exampleOf,
  type OpenApiDocument,
  type OpenApiSchema,
  partsOf,
  resolveReference,
} from './open-api.ts'
import { markPlaceholders, samplesOf } from './requests.ts'
import { sessionTags } from './sdk-methods.ts'

/** `canSend` is true if the API itself serves the page, so that requests can be sent from it. */
export type ReferenceOptions = { document: OpenApiDocument; canSend: boolean }

type TagPage = { tag: string; title: string; calls: ApiCall[] }

/** Renders the page of a resource with its calls and the objects they return. */
export function renderTag({ tag, title, calls }: TagPage, options: ReferenceOptions): Rendered {
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

function objectsOf(calls: ApiCall[], document: OpenApiDocument) {
  return objectNamesOf(calls, document).map((name) => {
    const schema = { $ref: `#/components/schemas/${name}` }
    return {
      id: anchorOf(name),
      name,
      description: inline(resolveReference<OpenApiSchema>(document, schema).description ?? ''),
      groups: viewsOf(groupsOf(document, schema)),
    }
  })
}

function shownCall(call: ApiCall, options: ReferenceOptions, objects: { id: string; name: string }[]) {
  const { document, canSend } = options
  const { id, method, path, operation } = call
  const { parameters, body: media } = partsOf(operation, document)
  const inPlace = (place: string) => parameters.filter((parameter) => parameter.in === place)
  const answer = describeResponse(operation, document)
  const body = media && (exampleOf(document, media) ?? {})
  const component = answer.shape && componentOf(answer.shape)
  const object = objects.find(({ name }) => name === component)
  const isForPeople = sessionTags.includes(call.tag) || (operation.security?.length === 0 && method !== 'GET')
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
          samplesOf(exampleCall(call, { parameters, body, answer, lastsLong, document })),
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
    // Calls for the installation are not meant to be tried out, and calls for users who are signed in do not
    // accept a token.
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
