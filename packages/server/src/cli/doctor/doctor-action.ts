import { callNode } from '../node-client.ts'
import { toJson } from '../output/describe.ts'
import { whileWaiting } from '../output/waiting.ts'
import type { CheckedHealth, Checkup } from './checkup.ts'
import { describeCheckup } from './doctor-text.ts'
import { validSettings } from './valid-settings.ts'

export type DoctorOptions = { offline?: boolean; json?: boolean }

/** `pesewa doctor`: prints the results, and exits with 1 if there is a problem. */
export async function doctor({ offline = false, json }: DoctorOptions): Promise<void> {
  const { checks, hangs } = await whileWaiting(
    async () => (await askNode(offline)) ?? (await import('./all-checks.ts')).checkUpHere(offline),
  )
  const isOk = checks.every(({ status }) => status !== 'problem')
  const text = json ? `${toJson({ ok: isOk, checks })}\n` : describeCheckup(checks, process.stdout)
  process.exitCode = isOk ? 0 : 1
  await new Promise((resolve) => process.stdout.write(text, resolve))
  // A check that hangs would keep the process alive.
  if (hangs) process.exit()
}

const nodeLimitMs = 30_000 // time for the running node to check itself; each of its checks has ten seconds

/**
 * Lets the running node check itself, because it may have other settings, another user and another network than this
 * command. Its secrets stay in its process. Returns `undefined` if no node answers.
 */
async function askNode(isOffline: boolean): Promise<Checkup | undefined> {
  const settings = validSettings()
  if (!settings) return undefined
  const call = callNode(settings, isOffline ? '/doctor?offline' : '/doctor').catch(() => undefined)
  const slow = new Promise<undefined>((resolve) => setTimeout(resolve, nodeLimitMs, undefined).unref())
  const { status, text = '' } = (await Promise.race([call, slow])) ?? {}
  // Safe: the node has the same version as this program.
  return status === 200 ? { checks: JSON.parse(text) as CheckedHealth[], hangs: false } : undefined
}
