import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export type Claims = Record<string, unknown>

/** How the provider deviates from correct behaviour. */
export type Lie = {
  /** Claims of the ID token to override; `undefined` removes a claim. */
  claims?: Claims
  header?: Record<string, unknown>
  key?: KeyObject
  /** Replaces the signature. */
  signature?: string
  /** Overrides the userinfo response. */
  userinfo?: Claims
  tokenResponse?: Claims
  /** Replaces the response. */
  respond?: (response: ServerResponse, path: string) => boolean
}

export const client = { id: 'pesewa', secret: 'what the provider has issued' }

/**
 * Starts an OpenID Connect provider that can misbehave. It checks the requests that it receives, and its users
 * sign in without a page.
 */
export async function startIdentityProvider() {
  const server = createServer((request, response) => void handle(request, response)).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const codes = new Map<string, { claims: Claims; nonce: string; challenge: string }>()
  const accessTokens = new Map<string, Claims>()
  let lie: Lie = {}
  const seen: { secret: string; verifier: string; code: string }[] = []
  let metadata: Claims = {}

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').split('?', 1)[0] ?? ''
    const body = new URLSearchParams(await text(request))
    if (lie.respond?.(response, path)) return
    const json = (status: number, content: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(content))
    if (path === '/.well-known/openid-configuration')
      return void json(200, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/userinfo`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        ...metadata,
      })
    if (path === '/jwks')
      return void json(200, {
        keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'RS256' }],
      })
    if (path === '/userinfo') {
      const claims = accessTokens.get(request.headers.authorization?.replace('Bearer ', '') ?? '')
      return void (claims ? json(200, { ...claims, ...lie.userinfo }) : json(401, { error: 'invalid_token' }))
    }
    if (path !== '/token') return void json(404, {})
    const issued = codes.get(body.get('code') ?? '')
    codes.delete(body.get('code') ?? '')
    const verifier = body.get('code_verifier') ?? ''
    const [, basic = ''] = (request.headers.authorization ?? '').split(' ')
    const secret =
      body.get('client_secret') ?? decodeURIComponent(atob(basic).split(':')[1] ?? '').replaceAll('+', ' ')
    seen.push({ secret, verifier, code: body.get('code') ?? '' })
    if (secret !== client.secret) return void json(401, { error: 'invalid_client' })
    if (!issued || createHash('sha256').update(verifier).digest('base64url') !== issued.challenge)
      return void json(400, { error: 'invalid_grant' })
    const accessToken = randomUUID()
    accessTokens.set(accessToken, { sub: issued.claims.sub, email: issued.claims.email, ...issued.claims })
    json(200, {
      access_token: accessToken,
      token_type: 'Bearer',
      id_token: idToken(issued),
      ...lie.tokenResponse,
    })
  }

  function idToken({ claims, nonce }: { claims: Claims; nonce: string }): string {
    const now = Math.floor(Date.now() / 1_000)
    const own = { iss: issuer, aud: client.id, iat: now, exp: now + 300, auth_time: now, nonce, ...claims }
    const payload = { ...own, ...lie.claims }
    const parts = [{ alg: 'RS256', kid: 'one', ...lie.header }, payload].map((part) =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    )
    const signature =
      lie.signature ??
      sign('sha256', Buffer.from(parts.join('.')), lie.key ?? privateKey).toString('base64url')
    return [...parts, signature].join('.')
  }

  return {
    issuer,
    seen,
    /** Sets the deviations from now on. */
    lies: (next: Lie) => {
      lie = next
    },
    /** Makes the provider publish metadata that differs from its actual behaviour. */
    says: (more: Claims) => {
      metadata = more
    },
    /** Signs in a user who was sent to this URL, and returns the query with which they come back. */
    authorize(address: string, claims: Claims): string {
      const request = new URL(address).searchParams
      const code = randomUUID()
      codes.set(code, {
        claims,
        nonce: `${request.get('nonce')}`,
        challenge: `${request.get('code_challenge')}`,
      })
      return `${new URLSearchParams({ code, state: `${request.get('state')}` })}`
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
