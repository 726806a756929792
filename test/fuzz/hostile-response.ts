import fc from 'fast-check'
import { mutated, mutationsWith, type Vocabulary } from './mutation.ts'

/** A genuine response of a rail: its status, and its document, if any. */
export type Genuine = { status: number; body?: unknown }

/** A response as it is sent over the wire. */
export type HostileResponse = {
  status: number
  bytes: Buffer
  headers: readonly string[]
  framing: (typeof framings)[number]
}

/** How the end of a response is marked. With `short`, `none` and `half`, the response is incomplete. */
const framings = ['length', 'chunked', 'close', 'short', 'none', 'half'] as const

export const isWhole = ({ framing }: HostileResponse) => ['length', 'chunked', 'close'].includes(framing)

const statuses = [200, 201, 202, 204, 302, 400, 401, 403, 404, 405, 408, 409, 422, 429, 500, 502, 503, 504]

/** Headers that do not affect how the body is read. */
const plainHeaders = ['content-type: application/json']
const oddHeaders = [
  ...['content-type: text/html; charset=utf-16', 'content-encoding: gzip', 'retry-after: soon'],
  ...['location: https://evil.example/', 'set-cookie: a=b', `x-long: ${'x'.repeat(4_000)}`, 'x-empty:'],
]

/** Generates a rail's genuine responses, unchanged or with another status, headers, structure, values or bytes. */
export function hostileResponses(
  genuine: readonly Genuine[],
  vocabulary: Vocabulary,
): fc.Arbitrary<HostileResponse> {
  const other = fc.oneof(
    { weight: 5, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom(...statuses) },
  )
  const header = fc.constantFrom(...oddHeaders)
  return fc
    .record({
      chosen: fc.constantFrom(...genuine),
      other,
      text: damage,
      mutations: mutationsWith(vocabulary),
      headers: fc.oneof(
        { weight: 9, arbitrary: fc.constant(plainHeaders) },
        { weight: 1, arbitrary: fc.array(header, { maxLength: 3 }) },
      ),
      framing: fc.oneof(
        { weight: 30, arbitrary: fc.constant('length' as const) },
        { weight: 1, arbitrary: fc.constantFrom(...framings) },
      ),
    })
    .map(({ chosen, other, text, mutations, ...rest }) => {
      const body = chosen.body === undefined ? '' : mutated(chosen.body, mutations)
      const status = other ?? chosen.status
      return readable({ ...rest, status, bytes: status === 204 ? Buffer.alloc(0) : damaged(body, text) })
    })
}

/** Makes a failing test print the response readably. */
const readable = (response: HostileResponse) =>
  Object.assign(response, { [fc.toStringMethod]: () => shown(response) })

export const shown = ({ status, headers, framing, bytes }: HostileResponse) =>
  `${status} ${framing === 'length' ? '' : `(${framing}) `}${headers === plainHeaders ? '' : `${headers} `}${bytes}`

export const genuineResponse = ({ status, body }: Genuine): HostileResponse =>
  readable({
    status,
    bytes: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
    headers: plainHeaders,
    framing: 'length',
  })

export type Damage = { kind: (typeof damages)[number]; at: number }

const damages = ['none', 'cut', 'flip', 'utf16', 'latin1', 'mark', 'after', 'before', 'html', 'deep'] as const

/** Generates damage to the bytes of a response; usually none. */
export const damage: fc.Arbitrary<Damage> = fc.record({
  kind: fc.oneof(
    { weight: 20, arbitrary: fc.constant('none' as const) },
    { weight: 1, arbitrary: fc.constantFrom(...damages) },
  ),
  at: fc.nat(10_000),
})

export function damaged(text: string, { kind, at }: Damage): Buffer {
  const bytes = Buffer.from(text)
  const place = at % Math.max(bytes.length, 1)
  switch (kind) {
    case 'cut':
      return bytes.subarray(0, place)
    case 'flip':
      if (bytes.length > 0) bytes[place] = (bytes[place] ?? 0) ^ (1 << (at % 8))
      return bytes
    case 'utf16':
      return Buffer.from(text, 'utf16le')
    case 'latin1':
      return Buffer.from(`${text.slice(0, -1)},"naïve":"é"}`, 'latin1')
    case 'mark':
      return Buffer.from(`\ufeff${text}`)
    case 'after':
      return Buffer.from(text + text)
    case 'before':
      return Buffer.from(`  \r\n${text}`)
    case 'html':
      return Buffer.from(`<html>${text}</html>`)
    case 'deep':
      return Buffer.from(`${'['.repeat(place)}${text}${']'.repeat(place)}`)
    case 'none':
      return bytes
  }
}
