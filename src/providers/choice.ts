import type { Connectors, Road } from './connectors.ts'
import type { RailLane, RoadLane } from './lane.ts'
import type { Pauses } from './pauses.ts'
import type { Room, Traffic } from './traffic.ts'

/** Which connections can send a queue's instructions now, and how many. */
export type Choice = Pick<Room, 'calls' | 'waitMs'> & {
  /** Whether instructions without a connection can be assigned one. */
  takesNew: boolean
  /** Connections whose instructions have to wait. */
  unusable: string[]
  /** The operator's message for payers when every connection is paused. */
  words: string | undefined
  /** `null` if the provider is not or no longer connected; `undefined` if the instruction has to wait. */
  connectionFor(instruction: Chosen): string | null | undefined
}

/** `connection`: the connection it was assigned to; if `null`, its reference decides. */
type Chosen = { reference: string; connection: string | null }

const closedWaitMs = 1_000

/**
 * Chooses connections for a queue. The reference of a new instruction picks its connection by the operator's
 * shares and order of preference; if that one is unusable, the next usable one takes it, because nothing has
 * been sent yet. An instruction that was sent keeps its connection.
 */
export function chooseRoads(
  { traffic, ...parts }: Passable & { traffic: Pick<Traffic, 'roomOf'> },
  lane: RailLane,
): Choice {
  const roads = roadsFor(parts, lane).map((road) => ({ ...road, room: roomOf(traffic, lane, road) }))
  // Without a connection, instructions fail as soon as they are tried.
  if (roads.length === 0) return { ...unconnected, connectionFor: ({ connection }) => connection }
  const isUsable = ({ room, pause }: (typeof roads)[number]) => !room.isResting && !pause
  const usable = roads.filter(isUsable)
  const open = roads.filter(({ isOpen }) => isOpen)
  const first = open.find(isUsable)
  const rooms = (usable.length > 0 ? usable : roads).map(({ room }) => room)
  const connectionFor = ({ reference, connection }: Chosen) => {
    if (connection === null) {
      const preferred = preferredOf(open, reference)
      return (preferred && isUsable(preferred) ? preferred : first)?.connection
    }
    const own = roads.find((road) => road.connection === connection)
    return !own || isUsable(own) ? connection : undefined
  }
  return {
    // The capacity of the fullest connection, because every instruction of the batch might use it.
    calls: usable.length > 0 ? Math.min(...rooms.map(({ calls }) => calls)) : 0,
    waitMs: usable.length > 0 ? Math.max(...rooms.map(({ waitMs }) => waitMs)) : closedWaitMs,
    takesNew: first !== undefined,
    unusable: roads.filter((road) => !isUsable(road)).map(({ connection }) => connection),
    words: first ? undefined : wordsOf(open),
    connectionFor,
  }
}

/** The operator's message for payers if every connection is paused; open breakers do not count. */
export const pausedWords = (parts: Passable, lane: RailLane): string | undefined =>
  wordsOf(roadsFor(parts, lane).filter(({ isOpen }) => isOpen))

type Passable = { connectors: Pick<Connectors, 'roadsOf'>; pauses: Pick<Pauses, 'of'> }

const roadsFor = ({ connectors, pauses }: Passable, lane: RailLane) =>
  connectors
    .roadsOf(lane.providerId, lane.environment)
    .filter((road) => can(road, lane.kind))
    .map((road) => ({ ...road, pause: pauses.of(laneBy(lane, road)) }))

const wordsOf = (open: { pause: ReturnType<Pauses['of']> }[]) =>
  open.every(({ pause }) => pause) ? open[0]?.pause?.words : undefined

const roomOf = (traffic: Pick<Traffic, 'roomOf'>, lane: RailLane, road: Road) =>
  traffic.roomOf(
    laneBy(lane, road),
    lane.kind === 'collect' ? undefined : road.connector.disbursementsAtOnce?.(),
  )

const laneBy = (lane: RailLane, { connection }: Road): RoadLane => ({ ...lane, connection })

const unconnected = {
  calls: Number.POSITIVE_INFINITY,
  waitMs: 0,
  takesNew: true,
  unusable: [],
  words: undefined,
}

/** A closed connection stops collecting but still refunds what it collected. */
function can({ isOpen, connector }: Road, kind: RailLane['kind']): boolean {
  if (kind === 'collect') return isOpen
  return Boolean(kind === 'refund' ? connector.refund : connector.disburse)
}

/**
 * Returns the same connection for a reference while the shares stay the same. References are keyed hashes, so
 * they spread evenly.
 */
function preferredOf<Open extends Road>(open: Open[], reference: string): Open | undefined {
  let percentile = Number.parseInt(reference.slice(-8), 16) % 100
  for (const road of open) {
    if (road.share === undefined) continue
    if (percentile < road.share) return road
    percentile -= road.share
  }
  return open.find(({ share }) => share === undefined)
}
