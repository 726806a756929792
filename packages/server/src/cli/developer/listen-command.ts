import { randomBytes } from 'node:crypto'
import { Pesewa, type WebhookEvent } from '../../../../sdk/src/index.ts'
import { subscribableTypes, subscriptions } from '../../events/types.ts'
import { readSecret } from '../../events/webhooks/signing.ts'
import { CommandError } from '../command.ts'
import { nearestName } from '../nearest.ts'
import { styled } from '../output/colour.ts'
import { toJson } from '../output/describe.ts'
import { type ConnectionOptions, readConnection, throwWithUrl } from './connection.ts'
import { endAtOnce } from './end-at-once.ts'
import { createForwarder, type Forwarded } from './forwarding.ts'
// Each slice registers its event types.
import '../../slices.ts'

export type ListenOptions = ConnectionOptions & {
  forwardTo?: string
  events: string[]
  sinceEvent?: string
  secret?: string
  json?: boolean
}

/**
 * `pesewa listen`: prints one line per event to standard output and everything else to standard error, until it
 * receives a signal.
 */
export async function listen(options: ListenOptions): Promise<void> {
  endAtOnce()
  const { forwardTo, events, sinceEvent, json } = options
  checkTypes(events)
  const connection = readConnection(options)
  const secret = options.secret ?? `whsec_${randomBytes(32).toString('base64')}`
  const key = readSecret(secret)
  if (!key) throw new CommandError('--secret must be whsec_ followed by 24 to 64 bytes in base64.')
  if (options.secret && !forwardTo)
    throw new CommandError('--secret requires --forward-to, because it signs forwarded events.')
  const forward = forwardTo && createForwarder(forwardTo, key)
  const { baseUrl, space } = connection
  const begin = () => {
    say(`Following the events of Space ${space} at ${baseUrl}. Press Ctrl-C to stop.`)
    if (forward) say(`Forwarding to ${forwardTo}, signed with ${options.secret ? 'your secret' : secret}`)
  }
  try {
    const api = new Pesewa(connection)
    const onConnection = reportConnection(begin)
    for await (const event of api.events.stream({ after: sinceEvent, onConnection })) {
      if (!isSelected(events, event.type)) continue
      const forwarded = forward ? await forward(event) : undefined
      process.stdout.write(`${json ? toJson({ ...event, forwarded }) : inWords(event, forwarded)}\n`)
    }
  } catch (error) {
    throwWithUrl(baseUrl, error)
  }
}

/** Refuses misspelled types, which would never match an event. */
function checkTypes(names: string[]): void {
  const unknown = names.find((name) => !subscriptions().includes(name))
  if (unknown === undefined) return
  const meant = nearestName(unknown, subscriptions())
  throw new CommandError(
    `Unknown event type "${unknown}". ${meant ? `Did you mean ${meant}?` : `Use one of: ${subscriptions().join(', ')}.`}`,
  )
}

/** Returns a function that calls `begin` when the stream first opens, and reports each interruption after that. */
function reportConnection(begin: () => void): (isOpen: boolean) => void {
  let open = begin
  return (isOpen) => {
    if (!isOpen) return say('The event stream was interrupted. Reconnecting.')
    open()
    open = () => say('Reconnected.')
  }
}

const say = (line: string) => void process.stderr.write(`${line}\n`)

const isSelected = (names: string[], type: string) =>
  names.some((name) => name === '*' || name === type || name === `${type.split('.', 1)[0]}.*`)

const typeWidth = () => Math.max(...subscribableTypes().map((type) => type.length))

const inWords = ({ timestamp, type, object }: WebhookEvent, forwarded: Forwarded | undefined) =>
  [timestamp, type.padEnd(typeWidth()), object.id, ...(forwarded ? [outcome(forwarded)] : [])].join('  ')

function outcome({ status, error, durationMs }: Forwarded): string {
  const isTaken = status !== undefined && status >= 200 && status < 300
  return styled(isTaken ? 'green' : 'red', `${status ?? error}  ${durationMs} ms`, process.stdout)
}
