import { setTimeout as pause } from 'node:timers/promises'
import { hasKey, must } from '@pesewa/values'
import type { EventType } from '../../events/types.ts'
import { CommandError } from '../command.ts'
import { toJson } from '../output/describe.ts'
import { openApi } from './api-client.ts'
import { type ConnectionOptions, readConnection } from './connection.ts'
import { type FeedEvent, readEvents } from './event-feed.ts'
import type { MatchEvent, Shop, Trigger } from './trigger-shop.ts'
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
  const api = openApi(connection)
  try {
    // Opens the feed before triggering, so that no event is missed.
    const events = readEvents(await api.stream())
    const shop: Shop = {
      api,
      say: (line) => say(`  ${line}`),
      next: (type, recognise) => nextOf(events, type, recognise),
    }
    for (const [index, [type, makeHappen]] of chosen.entries()) {
      if (index > 0) await pause(betweenMs)
      say(type)
      const event = await shop.next(type, await makeHappen(shop))
      if (json) print(event.json)
      else shop.say(`received event ${event.id} for ${event.object.id}`)
    }
  } finally {
    await api.close()
  }
}

function triggerOf(type: string): [keyof typeof triggers, Trigger] {
  if (hasKey(triggers, type)) return [type, must(triggers[type], 'trigger of an event type')]
  throw new CommandError(`${type} cannot be triggered. Available: ${Object.keys(triggers).join(', ')}.`)
}

async function nextOf(events: AsyncGenerator<FeedEvent>, type: EventType, recognise: MatchEvent) {
  const overdue = Promise.withResolvers<never>()
  const sentence = `No ${type} event arrived within ${patienceMs / 1_000} s. Is a node running background jobs (serve --work)?`
  const timer = setTimeout(() => overdue.reject(new CommandError(sentence)), patienceMs)
  try {
    for (;;) {
      const { value: event, done } = await Promise.race([events.next(), overdue.promise])
      if (done) throw new CommandError(`The service closed the event stream before a ${type} event arrived.`)
      if (event.type === type && recognise(event)) return event
    }
  } finally {
    clearTimeout(timer)
  }
}

const print = (line: string) => void process.stdout.write(`${line}\n`)
const note = (line: string) => void process.stderr.write(`${line}\n`)
