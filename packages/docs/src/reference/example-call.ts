import type { ApiCall } from './api-calls.ts'
import type { OpenApiDocument, OpenApiParameter } from './open-api.ts'
import { sdkMethodOf } from './sdk-methods.ts'

type ExampleParts = {
  parameters: OpenApiParameter[]
  body: unknown
  answer: { isList: boolean }
  lastsLong: boolean
  isForPeople: boolean
  document: OpenApiDocument
}

/** Returns the request that is used in the samples of a call. */
export function exampleCall(
  call: ApiCall,
  { parameters, body, answer, lastsLong, isForPeople, document }: ExampleParts,
) {
  const { method, path, operation } = call
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
    hasToken: operation.security === undefined && !isForPeople,
    // A caller who has not signed in yet has no cookie.
    session: !isForPeople
      ? undefined
      : operation.security === undefined
        ? ('cookie' as const)
        : ('none' as const),
    hasSpace: has('Service-Space-Id'),
    hasKey: has('Idempotency-Key'),
    lastsLong,
    body,
    sdk:
      !path.startsWith('/v1/') || isForPeople
        ? undefined
        : {
            method: [...resource, name].join('.'),
            values: inAddress.map(exampleText),
            query,
            isList: answer.isList,
          },
  }
}

export const baseOf = ({ servers }: OpenApiDocument) => (servers?.[0]?.url ?? '').replace(/\/$/, '')

const exampleValue = ({ name, example, schema }: OpenApiParameter): unknown =>
  example ??
  schema?.examples?.[0] ??
  schema?.example ??
  schema?.enum?.[0] ??
  schema?.const ??
  name.toUpperCase()
export const exampleText = (parameter: OpenApiParameter) => String(exampleValue(parameter))
