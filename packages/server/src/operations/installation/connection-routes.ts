import { setTimeout as sleep } from 'node:timers/promises'
import type { ProbeStep } from '@pesewa/connector-kit'
import { must } from '@pesewa/values'
import Type, { type Static } from 'typebox'
import {
  type Call,
  homeCommand,
  type Route,
  read,
  type WellFormed,
} from '../../platform/http/commands/route.ts'
import {
  nameText,
  nullableText,
  object,
  optional,
  pathName,
  text,
  withDescription,
  withMeanings,
} from '../../platform/http/shapes/shapes.ts'
import { argumentRefusal, Issues, Refusal } from '../../platform/refusals.ts'
import { type Environment, environments } from '../../platform/scope.ts'
import { findPauseIssue, findReachedProviders } from '../../rails/connections/reached-providers.ts'
import { environmentShape } from '../../rails/connections/shapes.ts'
import { type PauseScope, pauseDirections } from '../../rails/routing/pause-scope.ts'
import { pause, resume } from '../../rails/routing/pauses.ts'
import { actorOf } from '../../tenants/spaces/deciders.ts'
import { connectionStates, directionShape } from './connection-shapes.ts'
import { presentConnection } from './connection-view.ts'
import { type ConnectionParts, readConnections } from './connections.ts'

const url = '/v1/installation/providers'
const maxUntilMs = 366 * 86_400_000 // limit: how far in the future a pause can end

const targetFields = {
  environment: environmentShape,
  direction: optional(directionShape),
  providerId: optional(
    text(1, 64, {
      examples: ['m17'],
      description: 'Provider to pause; omit for all providers of the connection.',
    }),
  ),
}
const pauseBody = object({
  ...targetFields,
  words: nameText(1, 200, { description: 'Message for payers and merchants during the pause. One line.' }),
  until: optional(
    Type.String({
      format: 'date-time',
      description:
        'When the pause ends automatically, within one year; omit to pause until the connection is resumed.',
      examples: ['2099-11-21T10:00:00.000Z'],
    }),
  ),
})
const resumeBody = object(targetFields)

const targetRules = [
  { about: ['environment'], says: '`environment` must be one in which the connection exists.' },
  { about: ['providerId'], says: '`providerId` must be a provider that the connection reaches.' },
]

const pauseResult = object(
  {
    connection: withDescription(Type.String({ examples: ['m17'] }), 'Name of the connection.'),
    environment: environmentShape,
    providerId: withDescription(nullableText, 'Provider; null for the whole connection.'),
    directions: withDescription(Type.Array(directionShape), 'Directions affected.'),
  },
  { title: 'PausedPlace' },
)

const probeResult = object(
  {
    isOk: withDescription(Type.Boolean(), 'True if every step succeeded.'),
    steps: withDescription(
      Type.Array(
        object({
          step: withDescription(Type.String({ examples: ['token for collections'] }), 'Name of the step.'),
          outcome: withMeanings(Type.Enum(['ok', 'failed', 'unknown'] as const), 'Result of the step.', {
            ok: 'well',
            failed: 'the rail rejected the request',
            unknown: 'the rail gave no clear response',
          }),
          detail: withDescription(
            Type.String(),
            'Response of the rail, or what to check.',
            'a token for 3600 s',
          ),
        }),
      ),
      'Steps, in order.',
    ),
  },
  { title: 'ConnectionTest' },
)

/** Routes for operators to watch, pause, resume and test connections to providers. */
export const connectionRoutes = (parts: ConnectionParts): Route[] => [
  read({
    url,
    permission: 'installation:read',
    summary: 'List connections to providers',
    about: 'Includes their state.',
    result: connectionStates,
    read: async () => ({ connections: (await readConnections(parts)).map(presentConnection) }),
  }),
  homeCommand({
    url: `${url}/:connection/pause`,
    params: { connection: pathName('Name of the connection.', 'm17') },
    permission: 'installation:write',
    summary: 'Pause a connection',
    about: 'In both directions, unless one is specified.',
    reasons: ['state_conflict'],
    result: pauseResult,
    body: pauseBody,
    example: { environment: 'test', direction: 'collect', words: 'Back at noon.' },
    rules: [
      ...targetRules,
      { about: ['words'], says: '`words` must be a single line without control characters.' },
      { about: ['until'], says: '`until` must be in the future, within one year.' },
    ],
    validate: (_db, call, issues) => checkPause(parts, call, issues),
    write: async (tx, call) => {
      const issues = new Issues()
      checkPause(parts, call, issues)
      issues.refuse()
      const { words, until } = call.body
      const lastingMs = until === undefined ? null : lastingUntil(until, call.now)
      const by = await actorOf(tx, call)
      const scopes = pauseScopesOf(parts, call)
      for (const scope of scopes) await pause(tx, scope, { words, by, lastingMs })
      return presentScopes(scopes)
    },
  }),
  homeCommand({
    url: `${url}/:connection/resume`,
    params: { connection: pathName('Name of the connection.', 'm17') },
    permission: 'installation:write',
    summary: 'Resume a connection',
    about: 'In both directions, unless one is specified. It is enough that one of them is paused.',
    reasons: ['state_conflict'],
    result: pauseResult,
    body: resumeBody,
    example: { environment: 'test', direction: 'collect' },
    rules: targetRules,
    validate: (_db, call, issues) => checkPauseTarget(parts, call, issues),
    write: async (tx, call) => {
      const by = await actorOf(tx, call)
      return presentScopes(await resume(tx, pauseScopesOf(parts, call), by))
    },
  }),
  read({
    url: `${url}/:connection/test`,
    params: { connection: pathName('Name of the connection.', 'm17') },
    permission: 'installation:write',
    summary: 'Test a connection',
    about: 'Sends only read-only requests to its rail.',
    reasons: ['state_conflict'],
    query: object({ environment: environmentShape }),
    result: probeResult,
    read: ({ params: { connection = '' }, query: { environment } }) =>
      testConnection(parts, environment, connection),
  }),
]

type PauseCall = Call<unknown, Static<typeof resumeBody>>

const isAnywhere = (catalogue: ConnectionParts['catalogue'], connection: string) =>
  environments.some((environment) => findReachedProviders(catalogue, environment, connection).length > 0)

/** Validates a pause, and reports all of its issues together. */
function checkPause(
  parts: ConnectionParts,
  call: Call<unknown, WellFormed<Static<typeof pauseBody>>>,
  issues: Issues,
): void {
  checkPauseTarget(parts, call, issues)
  const { words, until } = call.body
  if (words !== undefined && /\p{Cc}/u.test(words)) issues.add('words', 'must be a single line')
  if (until === undefined) return
  const lastingMs = lastingUntil(until, call.now)
  if (lastingMs <= 0 || lastingMs > maxUntilMs) issues.add('until', 'must be in the future, within one year')
}

/** Refuses an unknown connection with `not_found`, because it is named in the path and not in the body. */
function checkPauseTarget(
  { catalogue }: ConnectionParts,
  {
    params: { connection = '' },
    body: { environment, providerId },
  }: Call<unknown, WellFormed<Static<typeof resumeBody>>>,
  issues: Issues,
): void {
  const fault = environment && findPauseIssue(catalogue, environment, connection, providerId)
  if (fault?.param === 'providerId') issues.add('providerId', fault.says)
  if (fault?.param === 'connection' && isAnywhere(catalogue, connection))
    issues.add('environment', fault.says)
}

/** Returns what a call pauses or resumes: one or both directions. */
function pauseScopesOf(
  { catalogue }: ConnectionParts,
  { params: { connection = '' }, body: { environment, direction, providerId } }: PauseCall,
): PauseScope[] {
  const fault = findPauseIssue(catalogue, environment, connection, providerId)
  if (fault?.param === 'connection' && !isAnywhere(catalogue, connection))
    throw new Refusal('not_found', { message: fault.says })
  if (fault) throw argumentRefusal(fault.param === 'connection' ? 'environment' : fault.param, fault.says)
  return pauseDirections
    .filter((one) => direction === undefined || one === direction)
    .map((one) => ({ environment, connection, providerId: providerId ?? null, direction: one }))
}

function presentScopes(scopes: PauseScope[]) {
  const { direction: _, ...place } = must(scopes[0], 'direction of a pause')
  return { ...place, directions: scopes.map(({ direction }) => direction) }
}

/**
 * Returns the number of milliseconds until a time. `now` is wall-clock time, because the call does not belong
 * to a Space.
 */
const lastingUntil = (until: string, now: Date) => new Date(until).getTime() - now.getTime()

const testLimitMs = 20_000 // time limit for a connection test over the API

async function testConnection(
  { catalogue, connectors }: ConnectionParts,
  environment: Environment,
  connection: string,
) {
  const [providerId] = findReachedProviders(catalogue, environment, connection)
  const connector =
    providerId === undefined ? undefined : connectors.findConnector(providerId, environment, connection)
  if (!connector)
    throw new Refusal('not_found', { message: `There is no connection ${connection} in ${environment}.` })
  if (!connector.probe)
    throw new Refusal('state_conflict', {
      message: 'The protocol of this connection has no read-only request to test with.',
    })
  const steps = await Promise.race([connector.probe(), tookTooLong()])
  return { isOk: steps.every(({ outcome }) => outcome === 'ok'), steps }
}

const tookTooLong = async (): Promise<ProbeStep[]> => {
  await sleep(testLimitMs, undefined, { ref: false })
  return [{ step: 'test', outcome: 'unknown', detail: `took longer than ${testLimitMs / 1_000} s` }]
}
