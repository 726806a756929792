import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { commandNames, place, settingNames, textOf } from './files.ts'

const units = readdirSync(place('systemd'))
const services = units.filter((name) => name.endsWith('.service'))
const analyze = (...args: string[]) => spawnSync('systemd-analyze', args, { encoding: 'utf8' })
const skip =
  analyze('--version').status === 0
    ? false
    : 'systemd-analyze is not installed; it is in Debian’s package systemd'

/** systemd's exposure level, from 0 (nothing allowed) to 10. */
const mostExposure = 1.5

test('units use existing commands and settings', () => {
  assert.ok(services.length >= 3)
  for (const name of services) {
    const text = textOf(`systemd/${name}`)
    const [, command = ''] = /^ExecStart=\S+\/node packages\/server\/src\/main\.js (\w+)/m.exec(text) ?? []
    assert.ok(commandNames.has(command), `${name}: ${command}`)
    for (const [, setting = ''] of (/^Environment=(.*)$/m.exec(text)?.[1] ?? '').matchAll(/(\w+)=/g))
      assert.ok(setting === 'NODE_ENV' || settingNames.has(setting), `${name}: ${setting}`)
  }
})

test('systemd accepts the units and rates them as hardened', { skip }, () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'pesewa-units-'))
  try {
    // The program has another path in this test.
    for (const name of units)
      writeFileSync(
        path.join(folder, name),
        textOf(`systemd/${name}`).replaceAll('/opt/pesewa/node_modules/.bin/node', process.execPath),
      )
    const files = units.map((name) => path.join(folder, name))
    const verified = analyze('verify', ...files)
    assert.equal(verified.status, 0, verified.stderr)
    assert.equal(verified.stderr.includes(folder), false, verified.stderr)
    for (const name of services) {
      const { stdout } = analyze('security', '--offline=true', '--no-pager', path.join(folder, name))
      const [, level] = /exposure level for \S+: ([\d.]+)/.exec(stdout) ?? []
      assert.ok(Number(level) <= mostExposure, `${name}: ${level}`)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})
