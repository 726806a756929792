import { setTimeout as pause } from 'node:timers/promises'
import { hasKey, must } from '@pesewa/values'
import { Pesewa } from '../../../../sdk/src/index.ts'
import { CommandError } from '../command.ts'
import { nearestName } from '../nearest.ts'
import { toJson } from '../output/describe.ts'
import { type ConnectionOptions, readConnection, throwWithUrl } from './connection.ts'
import type { Shop, Trigger } from './trigger-shop.ts'
import { triggers } from './triggers.ts'

export type TriggerOptions = ConnectionOptions & { list?: boolean; json?: boolean }

const patienceMs = 30_000 // `pesewa trigger`: time to wait for an event
/**
 * Keeps requests below a merchant's rate limit in the test environment, which is 5 requests a second per
 * endpoint.
 */
const betweenMs = 250

/** `pesewa trigger`: triggers the given types of events one after another, and waits for each event. */
export async function trigger(types: string[], options: TriggerOptions): Promise<void> {
  const { list, json } = options
  if (list) return print(json ? toJson({ types: Object.keys(triggers) }) : Object.keys(triggers).join('\n'))
  // With `--json`, standard output contains only events, and progress goes to standard error.
  const say = json ? note : print
  if (types.length === 0)
    throw new CommandError(`Specify an event type: ${Object.keys(triggers).join(', ')}.`)
  const chosen = types.map(triggerOf)
  const connection = readConnection(options)
  if (connection.token.startsWith('psw_live_'))
    throw new CommandError('This is a live token. Events can be triggered only in the test environment.')
  const api = new Pesewa(connection)
  const ended = new AbortController()
  try {
    const next = await openEvents(api, ended.signal)
    const shop: Shop = { api, url: connection.baseUrl, say: (line) => say(`  ${line}`), next }
    for (const [index, [type, makeHappen]] of chosen.entries()) {
      if (index > 0) await pause(betweenMs)
      say(type)
      const event = await shop.next(type, await makeHappen(shop))
      if (json) print(toJson(event))
      else shop.say(`received event ${event.id} for ${event.object.id}`)
    }
  } catch (error) {
    throwWithUrl(connection.baseUrl, error)
  } finally {
    ended.abort()
  }
}

function triggerOf(type: string): [keyof typeof triggers, Trigger] {
  if (hasKey(triggers, type)) return [type, must(triggers[type], 'trigger of an event type')]
  const meant = nearestName(type, Object.keys(triggers))
  throw new CommandError(
    meant
      ? `Unknown event type "${type}". Did you mean ${meant}?`
      : `${type} cannot be triggered. Available: ${Object.keys(triggers).join(', ')}.`,
  )
}

/** Opens the event stream before anything is triggered, so that no event is missed. Returns `next` of a shop. */
async function openEvents(api: Pesewa, signal: AbortSignal): Promise<Shop['next']> {
  const opened = Promise.withResolvers<void>()
  const stream = api.events.stream({ signal, onConnection: () => opened.resolve() })
  const events = stream[Symbol.asyncIterator]()
  // The stream opens when its first event is requested.
  let first: ReturnType<typeof events.next> | undefined = events.next()
  await Promise.race([opened.promise, first])
  return async (type, recognise) => {
    const overdue = pause(patienceMs, { done: true, value: undefined } as const, { ref: false })
    for (;;) {
      const { value: event, done } = await Promise.race([first ?? events.next(), overdue])
      first = undefined
      if (done)
        throw new CommandError(
          `No ${type} event arrived within ${patienceMs / 1_000} s. Is a node running background jobs (serve --work)?`,
        )
      if (event.type === type && recognise(event)) return event
    }
  }
}

const print = (line: string) => void process.stdout.write(`${line}\n`)
const note = (line: string) => void process.stderr.write(`${line}\n`)
