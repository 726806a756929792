import type { FastifyRequest } from 'fastify'
import type { FrontDemo } from '../operations/docs/front-page.ts'
import { enforceAddressLimit } from '../platform/http/admission/address-limit.ts'
import { checkOrigin } from '../platform/http/admission/credentials.ts'
import type { RawRoute } from '../platform/http/commands/route.ts'
import { pathParams } from '../platform/http/server/request.ts'
import type { Platform } from '../platform/platform.ts'
import { Refusal } from '../platform/refusals.ts'
import { isThisMachine } from '../platform/setting-values.ts'
import { type DemoRole, demoRoles } from './people.ts'

const entriesPerSecond = 5 // limit: sign-ins and checkouts that the front page of a demo opens per second

/** What the front page of a demo offers. Each function returns the URL to which the browser is sent. */
export type DemoOffer = {
  signIn(role: DemoRole): Promise<string>
  pay(): Promise<string>
  /** Address of the API reference whose samples use the demo's token. */
  apiAddress: string
}

/** The door to the demo: closed, unless `pesewa start` opens it. */
export type DemoDoor = FrontDemo & {
  routes: RawRoute[]
  open(offer: DemoOffer): void
}

/**
 * Returns the door to the demo, through which a browser on this machine signs in without a password. It stays
 * closed if other machines may reach the service. See docs/decisions/0232-demo-door.md.
 */
export function createDemoDoor(parts: Platform): DemoDoor {
  const { baseUrl } = parts
  const { host, hostname } = new URL(baseUrl)
  let offered: DemoOffer | undefined
  const offerTo = (request: FastifyRequest) =>
    offered && isFromThisMachine(request) && request.headers.host === host ? offered : undefined
  const admit = async (request: FastifyRequest) => {
    if (!offerTo(request)) throw new Refusal('route_not_found')
    checkOrigin(request, baseUrl)
    await enforceAddressLimit(parts, 'demo', entriesPerSecond, request)
  }
  const entry = (
    url: string,
    summary: string,
    destinationOf: (offer: DemoOffer, request: FastifyRequest) => Promise<string>,
  ): RawRoute => ({
    ...{ kind: 'raw', method: 'POST', url, summary, admit },
    async handle(request, reply) {
      const offer = offerTo(request)
      if (!offer) throw new Refusal('route_not_found')
      return reply.header('cache-control', 'no-store').redirect(await destinationOf(offer, request), 303)
    },
  })
  /** The shop's stock system, which accepts every webhook. */
  const stockSystem: RawRoute = {
    ...{ kind: 'raw', method: 'POST', url: '/demo/stock', summary: 'Receive webhooks of the demo' },
    admit: (request) => {
      if (!offerTo(request)) throw new Refusal('route_not_found')
    },
    handle: (_request, reply) => reply.code(204).send(),
  }
  return {
    offerTo: (request) => offerTo(request),
    open(offer) {
      if (isThisMachine(hostname)) offered = offer
    },
    routes: [
      stockSystem,
      entry('/demo/pay', 'Open a checkout of the demo', (offer) => offer.pay()),
      entry('/demo/sign-in/:role', 'Sign in to the demo', (offer, request) => {
        const role = demoRoles.find((one) => one === pathParams(request).role)
        if (!role) throw new Refusal('route_not_found')
        return offer.signIn(role)
      }),
    ],
  }
}

const forwarding = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip']

/**
 * Returns whether a request was sent by this machine itself. A proxy on this machine, which may forward requests
 * of others, usually adds one of these headers.
 */
const isFromThisMachine = ({ socket, headers }: FastifyRequest): boolean =>
  /^(::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? '') &&
  forwarding.every((name) => headers[name] === undefined)
