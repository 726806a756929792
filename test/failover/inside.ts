import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/**
 * Runs `scenarios.ts` in its own network, mount and process namespaces, so that it can use the addresses, ports and paths of the
 * guide, and nothing that it starts survives it. Needs root. `output` gets everything it prints.
 */
export function runInside(
  environment: NodeJS.ProcessEnv,
  output: (text: string) => void,
): Promise<{ code: number | null }> {
  const folder = mkdtempSync(path.join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'pesewa-failover-'))
  chmodSync(folder, 0o755)
  // The shell is the first process of its namespace, and reaps the processes that servers leave behind.
  const script = '"$0" --test-reporter=spec --test-force-exit "$1"; exit $?'
  const child: ChildProcess = spawn(
    'setpriv',
    [
      ...[
        '--pdeathsig',
        'KILL',
        'unshare',
        '--net',
        '--mount',
        '--pid',
        '--fork',
        '--kill-child',
        '--mount-proc',
      ],
      ...['bash', '-c', script, process.execPath, path.join(import.meta.dirname, 'scenarios.ts')],
    ],
    {
      env: { ...environment, FAILOVER_FOLDER: folder, NODE_TEST_CONTEXT: '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  for (const stream of [child.stdout, child.stderr]) stream!.setEncoding('utf8').on('data', output)
  return new Promise((resolve) =>
    child.once('close', (code) => {
      if (process.env.FAILOVER_KEEP) output(`kept ${folder}\n`)
      else rmSync(folder, { recursive: true, force: true })
      resolve({ code })
    }),
  )
}
