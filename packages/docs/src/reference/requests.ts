import type { Sample } from '../code.ts'
import { escaped } from '../html.ts'

/** A request that is shown as an example. */
export type ExampleCall = {
  method: string
  baseUrl: string
  /** The path with its parameters filled in, and the query. */
  path: string
  hasToken: boolean
  /** Set for a call from our own pages: with the session's cookie, or by a caller who has not signed in yet. */
  session: 'cookie' | 'none' | undefined
  hasSpace: boolean
  hasKey: boolean
  lastsLong: boolean
  body: unknown
  /** The name of the SDK method, and its arguments other than the body. */
  sdk: { method: string; values: string[]; query: Record<string, unknown>; isList: boolean } | undefined
}

/** Placeholders that the page's script replaces with the reader's own values. */
export const placeholders = {
  base: 'https://pay.example.com',
  token: 'psw_test_YOUR_TOKEN',
  session: 'YOUR_SESSION',
  space: 'spc-YOUR_SPACE',
  key: 'a-new-key-each-time',
} as const

/** Marks the placeholders in a code block. */
export const markPlaceholders = (html: string) =>
  Object.entries(placeholders).reduce(
    (all, [name, text]) => all.replaceAll(text, `<span data-value="${name}">${escaped(text)}</span>`),
    html,
  )

/**
 * Returns samples of the request: with curl, with the SDK if it has the call, and with PHP and Python. Calls for
 * our own pages and streams are shown with curl only, or with curl and the SDK.
 */
export const samplesOf = (call: ExampleCall): Sample[] => [
  { code: curlOf(call), language: 'sh', title: 'curl' },
  ...(call.sdk ? [{ code: sdkOf(call, call.sdk), language: 'ts', title: 'SDK' }] : []),
  ...(call.lastsLong || call.session
    ? []
    : [
        { code: phpOf(call), language: 'php', title: 'PHP' },
        { code: pythonOf(call), language: 'python', title: 'Python' },
      ]),
]

const headersOf = ({ method, baseUrl, hasToken, session, hasSpace, hasKey, body }: ExampleCall) => [
  ...(session === 'cookie'
    ? [`Cookie: ${baseUrl.startsWith('https:') ? '__Host-' : ''}pesewa=${placeholders.session}`]
    : []),
  ...(session && method !== 'GET' ? [`Origin: ${baseUrl}`] : []),
  ...(hasToken ? [`Authorization: Bearer ${placeholders.token}`] : []),
  ...(hasSpace ? [`Service-Space-Id: ${placeholders.space}`] : []),
  ...(hasKey ? [`Idempotency-Key: ${placeholders.key}`] : []),
  ...(body === undefined ? [] : ['Content-Type: application/json']),
]

function curlOf(call: ExampleCall): string {
  const { method, baseUrl, path, lastsLong, body } = call
  const isUsual = method === 'GET' || (method === 'POST' && body !== undefined)
  const parts = [
    `curl -s${lastsLong ? 'N' : ''}${isUsual ? '' : `X ${method}`} ${quoted(`${baseUrl}${path}`)}`,
    ...headersOf(call).map((header) => `-H ${quoted(header)}`),
    ...(body === undefined ? [] : [`-d ${quoted(JSON.stringify(body, null, 2))}`]),
  ]
  return `${parts.join(' \\\n  ')}\n`
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

function sdkOf({ baseUrl, hasSpace, body }: ExampleCall, sdk: NonNullable<ExampleCall['sdk']>): string {
  const { method, values, query, isList } = sdk
  const given = [
    ...values.map(stringOf),
    ...(body === undefined ? [] : [literal(body)]),
    ...(Object.keys(query).length > 0 ? [literal(query)] : []),
  ]
  const call = `pesewa.${method}(${given.join(', ')})`
  const settings = [
    `token: '${placeholders.token}'`,
    ...(hasSpace ? [`space: '${placeholders.space}'`] : []),
    `baseUrl: '${baseUrl}'`,
  ]
  return [
    "import { Pesewa } from 'pesewa'",
    '',
    `const pesewa = new Pesewa({\n${settings.map((line) => `  ${line},\n`).join('')}})`,
    isList ? `for await (const each of ${call}) console.log(each)` : `console.log(await ${call})`,
    '',
  ].join('\n')
}

const stringOf = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`

/** Formats a value as TypeScript. */
function literal(value: unknown, indent = ''): string {
  const deeper = `${indent}  `
  if (typeof value === 'string') return stringOf(value).replaceAll('\n', '\\n')
  if (typeof value !== 'object' || value === null) return String(value)
  const inner = Array.isArray(value)
    ? value.map((each) => literal(each, deeper))
    : Object.entries(value).map(
        ([name, each]) => `${/^\w+$/.test(name) ? name : stringOf(name)}: ${literal(each, deeper)}`,
      )
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  return inner.length === 0
    ? open + close
    : `${open}\n${inner.map((line) => `${deeper}${line},\n`).join('')}${indent}${close}`
}

function phpOf(call: ExampleCall): string {
  const { method, baseUrl, path, body } = call
  const headers = headersOf(call).map((header) => `            ${phpHeader(header)},\n`)
  return `<?php
$response = file_get_contents(${stringOf(`${baseUrl}${path}`)}, false, stream_context_create([
    'http' => [
        'method' => '${method}',
        'header' => [
${headers.join('')}        ],
${body === undefined ? '' : `        'content' => json_encode(${phpLiteral(body, '        ')}),\n`}        'ignore_errors' => true, // to read the body of an error
    ],
]));
$answer = json_decode($response);
print_r($answer->result ?? $answer${path === '/' ? '' : '->error'});
`
}

/** Returns a header as PHP code. The idempotency key is replaced by code that generates a new key on every run. */
const phpHeader = (header: string) =>
  header === `Idempotency-Key: ${placeholders.key}`
    ? "'Idempotency-Key: ' . bin2hex(random_bytes(16))"
    : stringOf(header)

function phpLiteral(value: unknown, indent: string): string {
  const deeper = `${indent}    `
  if (typeof value === 'string') return stringOf(value)
  if (typeof value !== 'object' || value === null) return String(value)
  const inner = Array.isArray(value)
    ? value.map((each) => phpLiteral(each, deeper))
    : Object.entries(value).map(([name, each]) => `${stringOf(name)} => ${phpLiteral(each, deeper)}`)
  if (inner.length === 0) return Array.isArray(value) ? '[]' : '(object) []'
  return `[\n${inner.map((line) => `${deeper}${line},\n`).join('')}${indent}]`
}

function pythonOf(call: ExampleCall): string {
  const { method, baseUrl, path, body } = call
  const lines = [
    pythonString(`${baseUrl}${path}`),
    `method='${method}'`,
    `headers={\n${headersOf(call)
      .map((header) => `        ${pythonHeader(header)},\n`)
      .join('')}    }`,
    ...(body === undefined ? [] : [`data=json.dumps(${pythonLiteral(body, '    ')}).encode()`]),
  ]
  return `import json, urllib.error, urllib.request${call.hasKey ? ', uuid' : ''}

request = urllib.request.Request(
${lines.map((line) => `    ${line},\n`).join('')})
try:
    response = urllib.request.urlopen(request)
except urllib.error.HTTPError as error:
    response = error  # to read the body of an error
print(json.load(response))
`
}

const pythonString = (text: string) => `'${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`

/** Returns a header as Python code. The idempotency key is replaced by code that generates a new key on every run. */
function pythonHeader(header: string): string {
  const [, name = '', value = ''] = /^([^:]+): (.*)$/.exec(header) ?? []
  return `${pythonString(name)}: ${value === placeholders.key ? 'str(uuid.uuid4())' : pythonString(value)}`
}

function pythonLiteral(value: unknown, indent: string): string {
  const deeper = `${indent}    `
  if (typeof value === 'string') return pythonString(value)
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object') return String(value)
  const inner = Array.isArray(value)
    ? value.map((each) => pythonLiteral(each, deeper))
    : Object.entries(value).map(([name, each]) => `${pythonString(name)}: ${pythonLiteral(each, deeper)}`)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  return inner.length === 0
    ? open + close
    : `${open}\n${inner.map((line) => `${deeper}${line},\n`).join('')}${indent}${close}`
}
