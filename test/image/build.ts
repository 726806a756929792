import assert from 'node:assert/strict'
import { execFileSync, type SpawnSyncReturns, spawnSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import path from 'node:path'

// Builds the image from the unchanged Dockerfile, without an image registry: makes the base image from Debian
// packages and this machine's Node and npm, under the name that the Dockerfile uses.

const root = path.resolve(import.meta.dirname, '../..')
const base = 'docker.io/library/node:24-bookworm-slim'
const tag = 'localhost/pesewa:test'

export type ImageConfig = {
  User: string
  Env: string[]
  Entrypoint: string[]
  Cmd: string[]
  Labels: Record<string, string>
  Healthcheck: { Test: string[] }
}

export type BuiltImage = {
  config: ImageConfig
  /** Folder with the image's files. */
  folder: string
  bytes: number
  remove(): void
}

export function buildImage(): BuiltImage {
  assert.equal(process.getuid?.(), 0, 'run this as root: it builds and runs the image')
  for (const tool of ['buildah', 'mmdebstrap', 'unshare', 'chroot'])
    assert.equal(
      spawnSync('which', [tool]).status,
      0,
      `${tool} is missing: apt-get install buildah mmdebstrap`,
    )
  // In memory if possible, because thousands of files are copied between layers.
  const storage = mkdtempSync(path.join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'pesewa-image-'))
  const buildah = (...args: string[]) =>
    execFileSync(
      'buildah',
      ['--root', `${storage}/root`, '--runroot', `${storage}/run`, '--storage-driver', 'vfs', ...args],
      {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
        maxBuffer: 2 ** 26,
        env: { ...process.env, TMPDIR: storage },
      },
    ).trim()
  const remove = () => {
    buildah('rm', '--all')
    rmSync(storage, { recursive: true })
  }
  try {
    makeBase(buildah)
    const revision = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
    buildah(
      ...['bud', '--isolation', 'chroot', '--format', 'docker', '--layers=false', '--pull-never'],
      ...[
        '--network',
        'host',
        ...npmOfThisMachine(),
        '--build-arg',
        `REVISION=${revision}`,
        '--tag',
        tag,
        root,
      ],
    )
    const described = JSON.parse(buildah('inspect', '--type', 'image', tag)).Docker
    const container = buildah('from', '--pull-never', tag)
    const folder = buildah('mount', container)
    const bytes = Number(execFileSync('du', ['-sb', folder], { encoding: 'utf8' }).split('\t')[0])
    return { config: described.config, folder, bytes, remove }
  } catch (error) {
    remove()
    throw error
  }
}

function makeBase(buildah: (...args: string[]) => string): void {
  const container = buildah('from', 'scratch')
  const folder = buildah('mount', container)
  const made = debian(folder)
  assert.equal(made.status, 0, made.stderr)
  const local = path.join(folder, 'usr/local')
  mkdirSync(path.join(local, 'lib/node_modules'), { recursive: true })
  copyFileSync(realpathSync(process.execPath), path.join(local, 'bin/node'))
  const npm = execFileSync('which', ['npm'], { encoding: 'utf8' }).trim()
  cpSync(path.resolve(realpathSync(npm), '../..'), path.join(local, 'lib/node_modules/npm'), {
    recursive: true,
  })
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', path.join(local, 'bin/npm'))
  buildah('umount', container)
  buildah('config', '--env', 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', container)
  buildah('commit', '--quiet', container, base)
  buildah('rm', container)
}

/** Unpacks Debian into the folder; `BASE_TAR` can name an archive from an earlier build. */
const debian = (folder: string): SpawnSyncReturns<string> =>
  process.env.BASE_TAR
    ? spawnSync('tar', ['-xf', process.env.BASE_TAR, '-C', folder], { encoding: 'utf8' })
    : spawnSync(
        'sh',
        [
          '-c',
          'mmdebstrap --quiet --variant=minbase --dpkgopt=force-unsafe-io bookworm - | tar -x -C "$0"',
          folder,
        ],
        { encoding: 'utf8' },
      )

/** Returns mounts of this machine's npm configuration and cache. */
function npmOfThisMachine(): string[] {
  const mounts = [
    [path.join(homedir(), '.npmrc'), '/root/.npmrc:ro'],
    [path.join(homedir(), '.npm'), '/root/.npm'],
  ]
  return mounts.flatMap(([from, to]) => (from && existsSync(from) ? ['--volume', `${from}:${to}`] : []))
}
