import pg from 'pg'
import { openApp } from '../packages/server/src/app.ts'
import type { Scope } from '../packages/server/src/platform/scope.ts'
import { readSettings } from '../packages/server/src/slices.ts'
import { onTask } from './children.ts'
import { keepPace, type Pace, type Submit } from './pace.ts'
import { secretKey } from './secret-key.ts'
import { createSubmit } from './submit.ts'
import { chooseAccounts, type Target } from './transfer.ts'

// Makes calls without HTTP, in its own process: either to the service, which then runs in this process too, or
// directly to the SQL function.

export type CallsTask = {
  kind: 'in-process' | 'driver'
  connection: pg.ClientConfig
  dataDir: string
  /** Spaces; each call uses a random one. */
  scopes: Scope[]
  target: Target
  accounts: number
  pace: Pace
}

type Caller = { submit: Submit; metrics(): Promise<string | undefined>; close(): Promise<void> }

onTask<CallsTask>(async (task, tell) => {
  const caller = await (task.kind === 'in-process' ? openService(task) : openDriver(task))
  const figures = await keepPace(caller.submit, task.pace, {
    begins: async () => tell({ kind: 'begins', metrics: await caller.metrics() }),
    ends: async () => tell({ kind: 'ends', metrics: await caller.metrics() }),
  })
  await tell({ kind: 'measured', figures })
  await caller.close()
})

async function openService({ connection, dataDir, scopes, target, accounts }: CallsTask): Promise<Caller> {
  const settings = readSettings({
    DATA_DIR: dataDir,
    METRICS_PORT: '0',
    SIMULATOR: 'on',
    SECRET_KEY: secretKey,
  })
  const app = await openApp(settings, connection)
  return {
    submit: createSubmit(app.parts, scopes, target, accounts),
    metrics: () => app.parts.metrics.registry.metrics(),
    close: app.close,
  }
}

/** Used if pgbench is not available: calls the same function through the driver, with one connection per worker. */
async function openDriver({ connection, scopes, target, accounts, pace }: CallsTask): Promise<Caller> {
  const [scope] = scopes as [Scope]
  const clients = Array.from({ length: pace.lanes }, () => new pg.Client(connection))
  await Promise.all(clients.map((client) => client.connect()))
  return {
    submit: async (lane) => {
      const values = [scope.spaceId, scope.environment, ...chooseAccounts(target, accounts)]
      await clients[lane]!.query({ name: 'transfer', text: 'select bench.transfer($1, $2, $3, $4)', values })
    },
    metrics: async () => undefined,
    close: async () => void (await Promise.all(clients.map((client) => client.end()))),
  }
}
