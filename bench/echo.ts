import Fastify from 'fastify'
import { newInternalTransfer } from '../src/transfers/routes.ts'
import { onTask } from './children.ts'
import { transferPath } from './transfer.ts'

// The framework's limit, as a process of its own: fastify as it comes, which validates the same body and sends it back.

onTask(async (_task, tell) => {
  const server = Fastify()
  // As text and back: without what only our own validator understands.
  // `here` is of our documents: fastify's own validator takes no keyword that it does not know.
  const isKept = (key: string, value: unknown) => (key === 'here' ? undefined : value)
  const schema = { body: JSON.parse(JSON.stringify(newInternalTransfer, isKept)) }
  server.post(transferPath, { schema }, async ({ body }) => ({ success: true, messages: [], result: body }))
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as { port: number }
  await tell({ kind: 'listening', port })
  await new Promise(() => {})
})
