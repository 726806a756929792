import type { Provider } from '@pesewa/connector-kit'
import { type Period, pathParams, type RailRoute, type SimulatorParts } from '@pesewa/connector-kit/simulator'
import { sameText } from '@pesewa/values'
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { pawapay } from '../protocol.ts'
import { invalidInput, PawapayError, PawapayRejection, showPawapayError } from './error.ts'
import { countryOf } from './request.ts'
import { pawapayRoutesFor } from './routes.ts'

const time = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d$' })
const statement = Compile(
  Type.Object(
    {
      wallet: Type.Object(
        { country: Type.String(), currency: Type.String(), provider: Type.Optional(Type.String()) },
        { additionalProperties: false },
      ),
      callbackUrl: Type.String({ maxLength: 1_000 }),
      startDate: time,
      endDate: time,
      compressed: Type.Optional(Type.Literal(false)),
    },
    { additionalProperties: false },
  ),
)
const maxPeriodMs = 31 * 86_400_000

/**
 * Routes for statements. They are ready immediately and have the same format for all simulated rails, since
 * pawaPay's format is not published.
 */
export function pawapayStatementRoutes(parts: SimulatorParts): RailRoute[] {
  const route = pawapayRoutesFor(parts)
  return [
    route('POST', '/v2/statements', 'request a statement', (provider, { body }) => {
      if (!statement.Check(body)) throw invalidInput()
      const { wallet, startDate, endDate } = body
      const [from, to] = [new Date(`${startDate}Z`), new Date(`${endDate}Z`)]
      const lastingMs = to.getTime() - from.getTime()
      if (!(lastingMs > 0 && lastingMs <= maxPeriodMs)) throw new PawapayRejection('INVALID_DATE_RANGE')
      if (wallet.country !== countryOf(provider) || !provider.currencies.includes(wallet.currency))
        throw new PawapayRejection('WALLET_NOT_FOUND')
      return { statementId: idOf(parts, provider, { from, to }), status: 'ACCEPTED' }
    }),
    route('GET', '/v2/statements/:id', 'check whether a statement is ready', (provider, request) => {
      const { id = '' } = pathParams(request)
      if (!readId(parts, provider, id)) return { status: 'NOT_FOUND' }
      const file = fileUrl.replace(':providerId', provider.providerId).replace(':id', id)
      const downloadUrl = `${parts.baseUrl}${file}`
      return { status: 'FOUND', data: { statementId: id, status: 'COMPLETED', downloadUrl } }
    }),
    {
      kind: 'raw',
      method: 'GET',
      url: fileUrl,
      summary: 'Simulated pawaPay: download a statement by its secret URL',
      showError: showPawapayError(parts.log),
      handle: async (request, reply) => {
        const { providerId = '', id = '' } = pathParams(request)
        const provider = parts.catalogue.find(providerId)
        const period = provider && readId(parts, provider, id)
        if (!period) throw new PawapayError(404, 'NO_SUCH_FILE', 'This file does not exist.')
        return reply.type('text/csv; charset=utf-8').send(await parts.store.statementOf(providerId, period))
      },
    },
  ]
}

const fileUrl = `/simulator/${pawapay.name}/:providerId/statement-files/:id`

/**
 * Returns the id of a statement. It contains the statement's period in whole seconds, and proves that we issued
 * it, so nothing needs to be stored.
 */
function idOf(parts: Pick<SimulatorParts, 'seals'>, provider: Provider, { from, to }: Period): string {
  const bytes = Buffer.alloc(16)
  bytes.writeUInt32BE(from.getTime() / 1_000)
  bytes.writeUInt32BE(to.getTime() / 1_000, 4)
  const about = `${provider.providerId} ${bytes.toString('hex', 0, 8)}`
  Buffer.from(parts.seals.tag('simulated statement', about), 'base64url').copy(bytes, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

function readId(parts: Pick<SimulatorParts, 'seals'>, provider: Provider, id: string): Period | undefined {
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex')
  if (bytes.length !== 16) return undefined
  const period = {
    from: new Date(bytes.readUInt32BE() * 1_000),
    to: new Date(bytes.readUInt32BE(4) * 1_000),
  }
  return sameText(id, idOf(parts, provider, period)) ? period : undefined
}
