import Fastify from 'fastify'
import { newInternalTransfer } from '../packages/server/src/ledger/transfers/shapes.ts'
import { onTask } from './children.ts'
import { transferPath } from './transfer.ts'

// The framework's limit, in its own process: plain Fastify, which validates the same body and returns it, or sends
// the same bytes to every GET.

export type EchoTask = { sent?: { type: string; text: string } }

onTask<EchoTask>(async ({ sent }, tell) => {
  // Not strict: our schemas have keywords that Fastify's validator does not support.
  const server = Fastify({ ajv: { customOptions: { strict: false } } })
  // Copied through JSON to drop the functions that only our validator calls.
  const schema = { body: JSON.parse(JSON.stringify(newInternalTransfer)) }
  server.post(transferPath, { schema }, async ({ body }) => ({ success: true, messages: [], result: body }))
  if (sent) server.get('/*', async (_request, reply) => reply.type(sent.type).send(sent.text))
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as { port: number }
  await tell({ kind: 'listening', port })
  await new Promise(() => {})
})
