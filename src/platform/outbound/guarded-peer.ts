import { type LookupAddress, lookup as lookUpName } from 'node:dns'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { destinationsWithin, portOf } from './destinations.ts'
import { AnswerTooLarge, connectTimeoutMs, peerLimits } from './outbound.ts'

type Options = {
  /** Networks beside the public internet that may be reached, as CIDRs. */
  allowedNetworks: string[]
  /** Connections to one origin. */
  maxConnections: number
  /** Origins (scheme, host and port) that have connections at one time. A message to one more is not sent. */
  maxOrigins?: number
  lookup?: Lookup
}

export type Lookup = (
  name: string,
  options: { all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/** What one answer may take on the wire, with all that frames its 64 KiB of body. */
const maxAnswerWireBytes = 256 * 1024 // limit: a response from an address that a stranger chose, with all that frames it
const pieceBytes = 1024
const defaultMaxOrigins = 1_000 // limit: origins that strangers chose with connections open

/**
 * A peer for addresses that strangers choose. Each new connection is judged: a name is looked up once, here, and only
 * what this look-up returned is dialled, so that nothing can change in between. A name that points at a refused address
 * beside public ones is refused as a whole. `Host`, and the name that the certificate must have, stay those of the URL.
 */
export function createGuardedPeer(options: Options): Agent {
  const { allowedNetworks, maxConnections, maxOrigins = defaultMaxOrigins, lookup = lookUpName } = options
  const { mayDial } = destinationsWithin(allowedNetworks)
  return new Agent({
    ...peerLimits,
    connections: maxConnections,
    maxOrigins,
    allowH2: false, // The limits here are those of HTTP/1.
    connect: (target, done) => {
      const mayDialHere = (address: string) => mayDial(address, portOf(target))
      // A literal address is dialled without a look-up.
      if (isIP(target.hostname) && !mayDialHere(target.hostname))
        return queueMicrotask(() => done(new AddressRefused(), null))
      const connect = buildConnector({
        allowH2: false,
        // Runs from here on, the look-up included.
        timeout: connectTimeoutMs,
        autoSelectFamily: true,
        lookup: judgedLookup(lookup, mayDialHere),
        // A session that is resumed proves no certificate.
        maxCachedSessions: 0,
      })
      connect(target, (...result) => {
        if (result[1]) limitAnswers(result[1])
        done(...result)
      })
    },
  })
}

class AddressRefused extends Error {
  code = 'ADDRESS_REFUSED'
}

/** A socket dials what its look-up returns and nothing else, one address after the other. */
function judgedLookup(lookup: Lookup, mayDial: (address: string) => boolean): LookupFunction {
  return (name, _options, done) =>
    lookup(name, { all: true }, (error, addresses) => {
      if (error) return done(error, [])
      const isRefused = !addresses.every(({ address }) => mayDial(address))
      done(isRefused ? new AddressRefused() : null, isRefused ? [] : addresses)
    })
}

/**
 * The parser's limit is one of header fields only, and it reads its socket again only when a piece is consumed. So
 * what comes is handed over in small pieces, and counted since the last request: status lines, informational answers,
 * chunk extensions and the like end as well.
 */
function limitAnswers(socket: Socket): void {
  const read: Socket['read'] = socket.read.bind(socket)
  let written = 0
  let bytesLeft = 0
  socket.read = (size) => {
    if (size !== undefined) return read(size)
    if (socket.destroyed) return null
    const piece: Buffer | null = read(Math.min(socket.readableLength, pieceBytes) || undefined)
    if (socket.bytesWritten !== written) {
      written = socket.bytesWritten
      bytesLeft = maxAnswerWireBytes
    }
    bytesLeft -= piece?.length ?? 0
    if (bytesLeft < 0) socket.destroy(new AnswerTooLarge())
    return piece
  }
}
