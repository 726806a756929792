import { renderCode, renderSamples } from '../code.ts'
import { anchorOf, type Rendered, renderMarkdown } from '../markdown.ts'
import { renderTemplate } from '../pages/templates.ts'
import { type ApiCall, objectNamesOf } from './api-calls.ts'
import { type CallDescription, describeCall, type ReferenceOptions } from './call-description.ts'
import { inline, noLinks, viewOf, viewsOf } from './field-views.ts'
import { groupsOf, type ShownGroup } from './fields.ts'
import { type OpenApiDocument, type OpenApiSchema, resolveReference } from './open-api.ts'
import { markPlaceholders } from './requests.ts'

type TagPage = { tag: string; title: string; calls: ApiCall[] }

/** A page of the reference as data, with texts in Markdown. */
export type ResourceDescription = {
  title: string
  description: string
  calls: CallDescription[]
  /** The objects that the calls return. */
  objects: { id: string; name: string; description: string; groups: ShownGroup[] }[]
}

/** Describes a resource with its calls and the objects they return. */
export function describeResource(
  { tag, title, calls }: TagPage,
  options: ReferenceOptions,
): ResourceDescription {
  const { document } = options
  return {
    title,
    description: document.tags?.find(({ name }) => name === tag)?.description ?? '',
    calls: calls.map((call) => describeCall(call, options)),
    objects: objectNamesOf(calls, document).map((name) => describeObject(name, document)),
  }
}

function describeObject(name: string, document: OpenApiDocument) {
  const schema = { $ref: `#/components/schemas/${name}` }
  return {
    id: anchorOf(name),
    name,
    description: resolveReference<OpenApiSchema>(document, schema).description ?? '',
    groups: groupsOf(document, schema),
  }
}

/** Renders the page of a resource as HTML. */
export function renderResource({ title, description, calls, objects }: ResourceDescription): Rendered {
  const html = renderTemplate('resource', {
    title,
    description: description ? renderMarkdown(description, noLinks).html : '',
    calls: calls.map((call) => ({
      ...call,
      description: renderMarkdown(call.description, noLinks).html,
      inAddress: call.inAddress.map(viewOf),
      inQuery: call.inQuery.map(viewOf),
      body: viewsOf(call.body),
      samples: renderSamples(call.samples, markPlaceholders),
      answer: {
        ...call.response,
        object: objects.find(({ name }) => name === call.response.object),
        groups: viewsOf(call.response.groups),
        example: call.response.example ? renderCode(call.response.example) : '',
      },
    })),
    objects: objects.map((object) => ({
      ...object,
      description: inline(object.description),
      groups: viewsOf(object.groups),
    })),
  })
  const headings = [
    ...calls.map(({ id, summary }) => ({ id, text: summary, depth: 2 })),
    ...objects.map(({ id, name }) => ({ id, text: name, depth: 2 })),
  ]
  return { title, html, headings }
}
