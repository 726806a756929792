import { fieldsOf } from '@pesewa/values'
import type { Sample } from '../code.ts'
import { type ApiCall, describeResponse } from './api-calls.ts'
import { exampleCall, exampleText } from './example-call.ts'
import { fieldOf, groupsOf, type ShownField, type ShownGroup } from './fields.ts'
import { componentOf, exampleOf, type OpenApiDocument, partsOf } from './open-api.ts'
import { samplesOf } from './requests.ts'
import { sessionTags } from './sdk-methods.ts'

/** `canSend` is true if the API itself serves the page, so that requests can be sent from it. */
export type ReferenceOptions = { document: OpenApiDocument; canSend: boolean }

/** A call as the reference shows it, with texts in Markdown. */
export type CallDescription = {
  id: string
  method: string
  path: string
  summary: string
  description: string
  /** True if only a user who is signed in to the console can make the call. */
  isForPeople: boolean
  headers: { name: string; isRequired: boolean }[]
  inAddress: ShownField[]
  inQuery: ShownField[]
  body: ShownGroup[]
  samples: Sample[]
  response: {
    isList: boolean
    /** The name of the object, or its fields if it has no name. */
    object: string | undefined
    groups: ShownGroup[]
    otherTypes: string[]
    example: Sample | undefined
  }
  reasons: string[]
  sending: Sending | undefined
}

/** The form that sends the request from the page. */
type Sending = {
  inAddress: { name: string; value: string }[]
  query: boolean
  body: string | undefined
  hasKey: boolean
  hasSpace: boolean
}

export function describeCall(call: ApiCall, { document, canSend }: ReferenceOptions): CallDescription {
  const { id, method, path, operation } = call
  const { parameters, body: media } = partsOf(operation, document)
  const inPlace = (place: string) => parameters.filter((parameter) => parameter.in === place)
  const answer = describeResponse(operation, document)
  const body = media && (exampleOf(document, media) ?? {})
  const object = answer.shape && componentOf(answer.shape)
  const isForPeople = sessionTags.includes(call.tag) || (operation.security?.length === 0 && method !== 'GET')
  const lastsLong = answer.types.includes('text/event-stream')
  const fields = (place: string) =>
    inPlace(place).map(({ name, required = false, schema = {}, description, example }) =>
      fieldOf(
        document,
        name,
        { ...schema, ...(description && { description }), ...(example !== undefined && { example }) },
        required,
      ),
    )
  const hasHeader = (header: string) => inPlace('header').some(({ name }) => name === header)
  return {
    id,
    method,
    path,
    summary: operation.summary ?? id,
    description: operation.description ?? '',
    isForPeople,
    headers: inPlace('header').map(({ name, required }) => ({ name, isRequired: required ?? false })),
    inAddress: fields('path'),
    inQuery: fields('query'),
    body: media?.schema ? groupsOf(document, media.schema) : [],
    samples: samplesOf(exampleCall(call, { parameters, body, answer, lastsLong, isForPeople, document })),
    response: {
      isList: answer.isList,
      object,
      groups: answer.shape && !object ? groupsOf(document, answer.shape) : [],
      otherTypes: answer.types.filter((type) => type !== 'application/json'),
      example: lastsLong ? streamSample(answer.example) : sampleOf(answer.example),
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
            hasKey: hasHeader('Idempotency-Key'),
            hasSpace: hasHeader('Service-Space-Id'),
          }
        : undefined,
  }
}

const sampleOf = (example: unknown): Sample | undefined =>
  example === undefined ? undefined : { code: `${JSON.stringify(example, null, 2)}\n`, language: 'json' }

/** Returns an event as the stream sends it. */
function streamSample(event: unknown): Sample {
  const { id, type } = fieldsOf(event)
  return { code: `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(event)}\n`, language: '' }
}
