import { spawnSync } from 'node:child_process'
import { statfsSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import path from 'node:path'
import type { BenchDatabase } from './database.ts'
import { findPgbench } from './pgbench.ts'
import { cores } from './usage.ts'

/** Properties of the machine that the figures depend on, without host names or paths. */
export type Machine = {
  cpu: string
  cores: number
  memoryGiB: number
  kernel: string
  filesystem: string
  node: string
  postgres: string
  pgbench: string | null
  postgresSettings: Record<string, string>
}

const postgresSettings = [
  'fsync',
  'synchronous_commit',
  'full_page_writes',
  'wal_sync_method',
  'data_checksums',
  'shared_buffers',
  'max_wal_size',
  'checkpoint_completion_target',
  'max_connections',
]

export async function describeMachine({ client, folder, isOwn }: BenchDatabase): Promise<Machine> {
  const { rows } = await client.query<{ name: string; value: string }>(
    'select name, current_setting(name) as value from unnest($1::text[]) name',
    [['server_version', ...postgresSettings]],
  )
  const { server_version: postgres = '', ...settings } = Object.fromEntries(
    rows.map(({ name, value }) => [name, value]),
  )
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    kernel: `${process.platform} ${release()}`,
    filesystem: isOwn ? filesystemOf(folder) : 'of the DATABASE_URL',
    node: process.version,
    postgres,
    pgbench: findPgbench() ?? null,
    postgresSettings: settings,
  }
}

/** File systems by magic number; see statfs(2). */
const filesystems: Record<number, string> = {
  61267: 'ext4',
  1481003842: 'xfs',
  2435016766: 'btrfs',
  801189825: 'zfs',
  2035054128: 'overlayfs',
  16914836: 'tmpfs',
}

function filesystemOf(folder: string): string {
  const { type } = statfsSync(folder)
  return filesystems[type] ?? `0x${type.toString(16)}`
}

/** Returns the reasons why the figures are void. Each of them makes commits cheaper than in production. */
export function findFlaws({ filesystem, postgresSettings: settings }: Machine): string[] {
  const off = ['fsync', 'synchronous_commit', 'full_page_writes'].filter((name) => settings[name] === 'off')
  return [
    ...off.map((name) => `${name} is off: commits are not durable`),
    ...(filesystem === 'tmpfs' ? ['the data is in memory: commits are not durable (see --folder)'] : []),
  ]
}

/**
 * Returns the commit that was measured, followed by `+` if files differ from it. Returns `null` outside a
 * clone.
 */
export function findCommit(): string | null {
  const root = path.resolve(import.meta.dirname, '..')
  const git = (...args: string[]) => spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  const { status, stdout } = git('rev-parse', 'HEAD')
  if (status !== 0) return null
  return (
    stdout.trim() + (git('status', '--porcelain', '--untracked-files=no').stdout.trim() === '' ? '' : '+')
  )
}
