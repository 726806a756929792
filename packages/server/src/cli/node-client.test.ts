import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { readSettings } from '../slices.ts'
import { controlPath } from './control-path.ts'
import { findNode } from './node-client.ts'

test('if the node stops during a command, the message does not promise that repeating it is harmless', async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'pesewa-'))
  const node = createServer((request, response) =>
    request.method === 'POST' ? request.socket.destroy() : response.writeHead(404).end(),
  )
  await new Promise<void>((resolve) => node.listen(controlPath(dataDir), resolve))
  const found = await findNode(readSettings({ DATA_DIR: dataDir }))
  assert.ok(found)
  await assert.rejects(
    found.fetch('http://installation/v1/installation/spaces', { method: 'POST', body: '{}' }),
    {
      message:
        'The node stopped before it responded. The command may have taken effect, so check before you repeat it.',
    },
  )
  found.close()
  node.close()
})
