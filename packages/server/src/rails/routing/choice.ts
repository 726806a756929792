import type { ConnectionQueue, RailQueue } from '@pesewa/connector-kit'
import type { Connectors, ProviderRoute } from '../connections/connectors.ts'
import type { Pauses } from './pauses.ts'
import type { Room, Traffic } from './traffic.ts'

/** The connections that can currently send a queue's instructions, and how many instructions they can send. */
export type RouteChoice = Pick<Room, 'calls' | 'waitMs'> & {
  /** Whether a connection can now be assigned to an instruction that has none. */
  acceptsNew: boolean
  /** The connections whose instructions have to wait. */
  unusable: string[]
  /** The operator's message for payers, if every connection is paused. */
  pauseMessage: string | undefined
  /**
   * Returns the connection for an instruction, `null` if the provider is not connected, or `undefined` if the
   * instruction has to wait.
   */
  connectionFor(instruction: RoutedInstruction): string | null | undefined
}

/**
 * `connection`: the connection that was assigned to the instruction, or `null` if none has been assigned yet,
 * in which case one is selected based on the reference.
 */
type RoutedInstruction = { reference: string; connection: string | null }

const closedWaitMs = 1_000

/**
 * Chooses connections for a queue. For a new instruction, a connection is selected based on the instruction's
 * reference, according to the operator's shares and order of preference. If that connection is unusable, the
 * next usable one is selected, because nothing has been sent yet. An instruction that was sent keeps its
 * connection.
 */
export function chooseRoutes(
  { traffic, ...parts }: RouteParts & { traffic: Pick<Traffic, 'roomOf'> },
  queue: RailQueue,
): RouteChoice {
  const routes = usableRoutes(parts, queue).map((route) => ({
    ...route,
    room: roomOf(traffic, queue, route),
  }))
  // If the provider is not connected, an instruction fails as soon as it is attempted.
  if (routes.length === 0) return { ...unconnected, connectionFor: ({ connection }) => connection }
  const isUsable = ({ room, pause }: (typeof routes)[number]) => !room.isBreakerOpen && !pause
  const usable = routes.filter(isUsable)
  const open = routes.filter(({ isOpen }) => isOpen)
  const first = open.find(isUsable)
  const rooms = (usable.length > 0 ? usable : routes).map(({ room }) => room)
  const connectionFor = ({ reference, connection }: RoutedInstruction) => {
    if (connection === null) {
      const preferred = preferredRoute(open, reference)
      return (preferred && isUsable(preferred) ? preferred : first)?.connection
    }
    const own = routes.find((route) => route.connection === connection)
    return !own || isUsable(own) ? connection : undefined
  }
  return {
    // The smallest capacity of any usable connection, because all instructions in the batch might use that
    // connection.
    calls: usable.length > 0 ? Math.min(...rooms.map(({ calls }) => calls)) : 0,
    waitMs: usable.length > 0 ? Math.max(...rooms.map(({ waitMs }) => waitMs)) : closedWaitMs,
    acceptsNew: first !== undefined,
    unusable: routes.filter((route) => !isUsable(route)).map(({ connection }) => connection),
    pauseMessage: first ? undefined : sharedPauseMessage(open),
    connectionFor,
  }
}

/**
 * Returns the operator's message for payers if every connection is paused; otherwise `undefined`. Open breakers
 * do not count as pauses.
 */
export const findPauseMessage = (parts: RouteParts, queue: RailQueue): string | undefined =>
  sharedPauseMessage(usableRoutes(parts, queue).filter(({ isOpen }) => isOpen))

type RouteParts = { connectors: Pick<Connectors, 'findRoutes'>; pauses: Pick<Pauses, 'find'> }

const usableRoutes = ({ connectors, pauses }: RouteParts, queue: RailQueue) =>
  connectors
    .findRoutes(queue.providerId, queue.environment)
    .filter((route) => supportsKind(route, queue.kind))
    .map((route) => ({ ...route, pause: pauses.find(queueOf(queue, route)) }))

const sharedPauseMessage = (open: { pause: ReturnType<Pauses['find']> }[]) =>
  open.every(({ pause }) => pause) ? open[0]?.pause?.words : undefined

const roomOf = (traffic: Pick<Traffic, 'roomOf'>, queue: RailQueue, route: ProviderRoute) =>
  traffic.roomOf(
    queueOf(queue, route),
    queue.kind === 'collect' ? undefined : route.connector.disbursementsAtOnce?.(),
  )

const queueOf = (queue: RailQueue, { connection }: ProviderRoute): ConnectionQueue => ({
  ...queue,
  connection,
})

const unconnected = {
  calls: Number.POSITIVE_INFINITY,
  waitMs: 0,
  acceptsNew: true,
  unusable: [],
  pauseMessage: undefined,
}

/**
 * Returns whether a connection can be used for this kind of instruction. A closed connection no longer collects
 * but still refunds what it collected.
 */
function supportsKind({ isOpen, connector }: ProviderRoute, kind: RailQueue['kind']): boolean {
  if (kind === 'collect') return isOpen
  return Boolean(kind === 'refund' ? connector.refund : connector.disburse)
}

/**
 * Selects a connection according to the shares: always the same one for a given reference, as long as the
 * shares do not change. References are keyed hashes, so they are evenly distributed.
 */
function preferredRoute<Open extends ProviderRoute>(open: Open[], reference: string): Open | undefined {
  let percentile = Number.parseInt(reference.slice(-8), 16) % 100
  for (const route of open) {
    if (route.share === undefined) continue
    if (percentile < route.share) return route
    percentile -= route.share
  }
  return open.find(({ share }) => share === undefined)
}
