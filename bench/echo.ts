import Fastify from 'fastify'
import { newInternalTransfer } from '../src/transfers/routes.ts'
import { onTask } from './children.ts'
import { transferPath } from './transfer.ts'

// The framework's limit, as a process of its own: fastify as it comes, which validates the same body and sends it back.

onTask(async (_task, tell) => {
  // Not strict: our shapes have keywords that its own validator does not know.
  const server = Fastify({ ajv: { customOptions: { strict: false } } })
  // As text and back: without the functions that only our own validator calls.
  const schema = { body: JSON.parse(JSON.stringify(newInternalTransfer)) }
  server.post(transferPath, { schema }, async ({ body }) => ({ success: true, messages: [], result: body }))
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as { port: number }
  await tell({ kind: 'listening', port })
  await new Promise(() => {})
})
