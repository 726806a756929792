import { setTimeout as sleep } from 'node:timers/promises'
import Type, { type Static } from 'typebox'
import { type Call, command, type Route, read, type Sound } from '../platform/http/route.ts'
import { described, explained, nameText, object, optional, pathName, text } from '../platform/http/shapes.ts'
import { argumentRefusal, Faults, Refusal } from '../platform/refusals.ts'
import { type Environment, environments } from '../platform/scope.ts'
import type { ProbeStep } from '../providers/connector.ts'
import { type PausePlace, pause, pauseDirections, resume } from '../providers/pauses.ts'
import { placeFault, reachedBy } from '../providers/places.ts'
import { emailOf } from '../spaces/deciders.ts'
import { connectionStates, directionShape, environmentShape } from './connection-shapes.ts'
import { presentConnection } from './connection-view.ts'
import { type ConnectionParts, readConnections } from './connections.ts'

const url = '/v1/installation/providers'
const maxUntilMs = 366 * 86_400_000 // limit: how long a pause that ends by itself lasts

const placeFields = {
  environment: environmentShape,
  direction: optional(directionShape),
  providerId: optional(
    text(1, 64, { examples: ['m17'], description: 'One of its providers; without it all that it reaches.' }),
  ),
}
const pauseBody = object({
  ...placeFields,
  words: nameText(1, 200, { description: 'What payers, and whoever pays out, read meanwhile. One line.' }),
  until: optional(
    Type.String({
      format: 'date-time',
      description: 'When it ends by itself, within a year; without it, when somebody resumes.',
      examples: ['2099-11-21T10:00:00.000Z'],
    }),
  ),
})
const resumeBody = object(placeFields)

const placeRules = [
  { about: ['environment'], says: '`environment` is one that the connection is in.' },
  { about: ['providerId'], says: '`providerId` names a provider that the connection reaches.' },
]

const placeResult = object(
  {
    connection: described(Type.String({ examples: ['m17'] }), 'The name of the connection.'),
    environment: environmentShape,
    providerId: described(
      Type.Unsafe<string | null>({ type: ['string', 'null'] }),
      'The one provider that it is about; null: all of the connection.',
    ),
    directions: described(Type.Array(directionShape), 'The directions that it is about.'),
  },
  { title: 'PausedPlace' },
)

const probeResult = object(
  {
    isOk: described(Type.Boolean(), 'Whether every step succeeded.'),
    steps: described(
      Type.Array(
        object({
          step: described(Type.String({ examples: ['token for collections'] }), 'What was tried.'),
          outcome: explained(Type.Enum(['ok', 'failed', 'unknown'] as const), 'How it went.', {
            ok: 'well',
            failed: 'the rail refused',
            unknown: 'the rail gave no clear response',
          }),
          detail: described(Type.String(), 'What the rail said, or what to look at.', 'a token for 3600 s'),
        }),
      ),
      'What was tried, in order.',
    ),
  },
  { title: 'ConnectionTest' },
)

/** How providers are reached: what is known of each connection, and what an operator does about it. */
export const connectionRoutes = (parts: ConnectionParts): Route[] => [
  read({
    url,
    permission: 'installation:read',
    summary: 'List the connections to providers, and how they do',
    result: connectionStates,
    read: async () => ({ connections: (await readConnections(parts)).map(presentConnection) }),
  }),
  command({
    url: `${url}/:connection/pause`,
    params: { connection: pathName('The name of the connection.', 'm17') },
    permission: 'installation:write',
    summary: 'Let a connection take nothing new for a while, in both directions where none is named',
    reasons: ['state_conflict'],
    result: placeResult,
    body: pauseBody,
    example: { environment: 'test', direction: 'collect', words: 'Back at noon.' },
    rules: [
      ...placeRules,
      { about: ['words'], says: '`words` stand on one line, without control characters.' },
      { about: ['until'], says: '`until` is yet to come, and within a year.' },
    ],
    judge: (_db, call, faults) => judgePause(parts, call, faults),
    write: async (tx, call) => {
      const faults = new Faults()
      judgePause(parts, call, faults)
      faults.refuse()
      const { words, until } = call.body
      const lastingMs = until === undefined ? null : lastingUntil(until, call.now)
      const by = await emailOf(tx, call.userId)
      return atPlaces(parts, call, (place) => pause(tx, place, { words, by, lastingMs }))
    },
  }),
  command({
    url: `${url}/:connection/resume`,
    params: { connection: pathName('The name of the connection.', 'm17') },
    permission: 'installation:write',
    summary: 'End a pause of a connection, in both directions where none is named',
    reasons: ['state_conflict'],
    result: placeResult,
    body: resumeBody,
    example: { environment: 'test', direction: 'collect' },
    rules: placeRules,
    judge: (_db, call, faults) => judgePlace(parts, call, faults),
    write: async (tx, call) => {
      const by = await emailOf(tx, call.userId)
      return atPlaces(parts, call, (place) => resume(tx, place, by))
    },
  }),
  read({
    url: `${url}/:connection/test`,
    params: { connection: pathName('The name of the connection.', 'm17') },
    permission: 'installation:write',
    summary: 'Ask the rail of a connection something harmless, and report what it said, step by step',
    reasons: ['state_conflict'],
    query: object({ environment: environmentShape }),
    result: probeResult,
    read: ({ params: { connection = '' }, query: { environment } }) =>
      testConnection(parts, environment, connection),
  }),
]

type PlaceCall = Call<unknown, Static<typeof resumeBody>>

const isAnywhere = (catalogue: ConnectionParts['catalogue'], connection: string) =>
  environments.some((environment) => reachedBy(catalogue, environment, connection).length > 0)

/** All that is wrong with the meaning of a pause, at once. */
function judgePause(
  parts: ConnectionParts,
  call: Call<unknown, Sound<Static<typeof pauseBody>>>,
  faults: Faults,
): void {
  judgePlace(parts, call, faults)
  const { words, until } = call.body
  if (words !== undefined && /\p{Cc}/u.test(words)) faults.add('words', 'must stand on one line')
  if (until === undefined) return
  const lastingMs = lastingUntil(until, call.now)
  if (lastingMs <= 0 || lastingMs > maxUntilMs) faults.add('until', 'must be yet to come, and within a year')
}

/** A connection that is not there is no fault of the body. */
function judgePlace(
  { catalogue }: ConnectionParts,
  {
    params: { connection = '' },
    body: { environment, providerId },
  }: Call<unknown, Sound<Static<typeof resumeBody>>>,
  faults: Faults,
): void {
  const fault = environment && placeFault(catalogue, environment, connection, providerId)
  if (fault?.param === 'providerId') faults.add('providerId', fault.says)
  if (fault?.param === 'connection' && isAnywhere(catalogue, connection))
    faults.add('environment', fault.says)
}

async function atPlaces(
  { catalogue }: ConnectionParts,
  { params: { connection = '' }, body: { environment, direction, providerId } }: PlaceCall,
  work: (place: PausePlace) => Promise<void>,
) {
  const fault = placeFault(catalogue, environment, connection, providerId)
  if (fault?.param === 'connection' && !isAnywhere(catalogue, connection))
    throw new Refusal('not_found', { message: fault.says })
  if (fault) throw argumentRefusal(fault.param === 'connection' ? 'environment' : fault.param, fault.says)
  const directions = pauseDirections.filter((one) => direction === undefined || one === direction)
  const place = { environment, connection, providerId: providerId ?? null }
  for (const one of directions) await work({ ...place, direction: one })
  return { ...place, directions }
}

/** By the real clock: the call is of no Space. */
const lastingUntil = (until: string, now: Date) => new Date(until).getTime() - now.getTime()

const testLimitMs = 20_000 // limit: time that testing a connection over the API takes

async function testConnection(
  { catalogue, connectors }: ConnectionParts,
  environment: Environment,
  connection: string,
) {
  const [providerId] = reachedBy(catalogue, environment, connection)
  const connector =
    providerId === undefined ? undefined : connectors.connectorOf(providerId, environment, connection)
  if (!connector)
    throw new Refusal('not_found', { message: `There is no connection ${connection} in ${environment}.` })
  if (!connector.probe)
    throw new Refusal('state_conflict', {
      message: 'The protocol of this connection has nothing harmless to ask.',
    })
  const steps = await Promise.race([connector.probe(), tookTooLong()])
  return { isOk: steps.every(({ outcome }) => outcome === 'ok'), steps }
}

const tookTooLong = async (): Promise<ProbeStep[]> => {
  await sleep(testLimitMs, undefined, { ref: false })
  return [{ step: 'test', outcome: 'unknown', detail: `took longer than ${testLimitMs / 1_000} s` }]
}
