import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { alertRules } from '../../scripts/documents/alerts.ts'
import { knownMetrics, place, textOf, unknownIn, yamlOf } from './files.ts'

const known = knownMetrics()
const hasPromtool = spawnSync('promtool', ['--version']).status === 0
const skip = hasPromtool ? false : 'promtool is not installed; it is in Debian’s package prometheus'

type Panel = {
  id: number
  gridPos: { x: number; y: number; w: number; h: number }
  targets: { expr: string; legendFormat: string }[]
}

test('alerts use existing metrics, labels and guides', () => {
  assert.ok(known.size > 20)
  const rules = alertRules()
  assert.ok(rules.length > 10)
  for (const { alert, expr, annotations } of rules) {
    assert.deepEqual(unknownIn(expr, known), [], alert)
    assert.match(expr, /pesewa_/)
    assert.ok(
      existsSync(path.join(import.meta.dirname, '../../docs/guides', annotations.guide)),
      annotations.guide,
    )
  }
})

test('unknown metrics and labels are detected', () => {
  assert.deepEqual(unknownIn('sum by (route) (pesewa_cases_open)', known).length, 1)
  for (const expression of [
    'pesewa_nothing',
    'pesewa_job_seconds',
    'pesewa_cases_open{space="a"}',
    'pesewa_cases_open_count',
  ])
    assert.equal(unknownIn(expression, known).length, 1, expression)
})

test('each alert has a case in which it fires and one in which it does not', () => {
  const cases = yamlOf('prometheus/alerts.test.yaml').tests.flatMap(
    ({ alert_rule_test }: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }) =>
      alert_rule_test,
  )
  const names = (isRaised: boolean) =>
    cases
      .filter(({ exp_alerts }: { exp_alerts: unknown[] }) => exp_alerts.length > 0 === isRaised)
      .map(({ alertname }: { alertname: string }) => alertname)
      .sort()
  const alerts = alertRules()
    .map(({ alert }) => alert)
    .sort()
  assert.deepEqual(names(true), alerts)
  assert.deepEqual(names(false), alerts)
})

test('Prometheus accepts the rules, and each alert fires when it should', { skip }, () => {
  execFileSync('promtool', ['check', 'rules', place('prometheus/alerts.yaml')])
  execFileSync('promtool', ['test', 'rules', place('prometheus/alerts.test.yaml')])
})

test('dashboard panels use existing metrics and labels, and do not overlap', () => {
  const { panels, templating } = JSON.parse(textOf('grafana/pesewa.json')) as {
    panels: Panel[]
    templating: { list: { name: string; query: string }[] }
  }
  const variables = templating.list.map(({ name }) => name)
  const occupied = new Set<string>()
  for (const { id, gridPos, targets } of panels) {
    for (const { expr, legendFormat } of targets) {
      assert.deepEqual(unknownIn(expr, known), [], expr)
      for (const [, name = ''] of expr.matchAll(/\$(\w+)/g))
        assert.ok(name === '__rate_interval' || variables.includes(name), name)
      // A legend may only use labels that its sum keeps.
      for (const [, label = ''] of legendFormat.matchAll(/\{\{(\w+)\}\}/g))
        assert.ok(label === 'instance' || new RegExp(`by \\([^)]*\\b${label}\\b`).test(expr), legendFormat)
    }
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
        assert.ok(x < 24 && !occupied.has(`${x},${y}`), `panel ${id} overlaps another`)
        occupied.add(`${x},${y}`)
      }
  }
  for (const { query } of templating.list)
    for (const [name] of query.matchAll(/pesewa_\w+/g)) assert.deepEqual(unknownIn(name, known), [])
})
