import type { Connectors, Road } from './connectors.ts'
import type { RailLane, RoadLane } from './lane.ts'
import type { Pauses } from './pauses.ts'
import type { Room, Traffic } from './traffic.ts'

/** By which connections the instructions of a lane can leave now, and how many. */
export type Choice = Pick<Room, 'calls' | 'waitMs'> & {
  /** Whether what is of no connection yet finds one. */
  takesNew: boolean
  /** What is of one of these has to wait. */
  unusable: string[]
  /** The operator's, for those who find none because all are paused. */
  words: string | undefined
  /** `null` where the provider is not connected (any more); `undefined` where this has to wait. */
  connectionFor(instruction: Chosen): string | null | undefined
}

/** `connection`: by which it has to leave; where there is none, its reference decides. */
type Chosen = { reference: string; connection: string | null }

const closedWaitMs = 1_000

/**
 * What is new goes by the connection that its reference falls to, by the operator's shares and order of preference; where
 * that one cannot be used, by the next that can. Nothing has been sent then: what was sent keeps its connection.
 */
export function chooseRoads(
  { traffic, ...parts }: Passable & { traffic: Pick<Traffic, 'roomOf'> },
  lane: RailLane,
): Choice {
  const roads = roadsFor(parts, lane).map((road) => ({ ...road, room: roomOf(traffic, lane, road) }))
  // What cannot be sent at all fails as soon as it is tried.
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
    // As few as the fullest can take: any of them may be the one of all that leave.
    calls: usable.length > 0 ? Math.min(...rooms.map(({ calls }) => calls)) : 0,
    waitMs: usable.length > 0 ? Math.max(...rooms.map(({ waitMs }) => waitMs)) : closedWaitMs,
    takesNew: first !== undefined,
    unusable: roads.filter((road) => !isUsable(road)).map(({ connection }) => connection),
    words: first ? undefined : wordsOf(open),
    connectionFor,
  }
}

/** What the operator says to those who find no way to a provider, while all are paused; whether any rests is not counted. */
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

/** A closed connection collects nothing more, and gives back what it has collected. */
function can({ isOpen, connector }: Road, kind: RailLane['kind']): boolean {
  if (kind === 'collect') return isOpen
  return Boolean(kind === 'refund' ? connector.refund : connector.disburse)
}

/** The same for the same reference, as long as the shares are the same. References are keyed hashes: they spread evenly. */
function preferredOf<Open extends Road>(open: Open[], reference: string): Open | undefined {
  let percentile = Number.parseInt(reference.slice(-8), 16) % 100
  for (const road of open) {
    if (road.share === undefined) continue
    if (percentile < road.share) return road
    percentile -= road.share
  }
  return open.find(({ share }) => share === undefined)
}
