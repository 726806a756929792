import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parse } from 'yaml'
import { anchorOf } from '../../packages/docs/src/markdown.ts'
import { alertRules } from '../../scripts/documents/alerts.ts'
import { knownMetrics, place, settingNames, textOf, unknownIn, yamlOf } from './files.ts'

const known = knownMetrics()
const hasPromtool = spawnSync('promtool', ['--version']).status === 0
const skip = hasPromtool ? false : 'promtool is not installed; it is in Debian’s package prometheus'

type Panel = {
  id: number
  gridPos: { x: number; y: number; w: number; h: number }
  targets: { expr: string; legendFormat: string }[]
}

test('alerts use existing metrics and labels', () => {
  assert.ok(known.size > 20)
  const rules = alertRules()
  assert.ok(rules.length > 10)
  for (const { alert, expr } of rules) {
    assert.deepEqual(unknownIn(expr, known), [], alert)
    assert.match(expr, /pesewa_/)
  }
})

test('every alert has a runbook, which says what it means, what to do and whether it can wait', async () => {
  const page = new URL('../../docs/guides/runbooks.md', import.meta.url)
  const sections = readFileSync(page, 'utf8').split(/^(?=##)/m)
  for (const { alert, annotations } of alertRules()) {
    const [, file, anchor] =
      /^\{\{ \$externalLabels\.pesewa \}\}\/docs\/guides\/(\w+)#(\w+)$/.exec(annotations.runbook_url) ?? []
    assert.equal(file, 'runbooks', alert)
    const section = sections.find(
      (text) => anchorOf(text.split('\n')[0]?.replace(/^#+ /, '') ?? '') === anchor,
    )
    assert.ok(section?.startsWith(`### ${alert}\n`) === true, `${alert} has no section`)
    for (const part of ['What it means.', 'Find the cause.', 'What to do.', 'Can it wait?'])
      assert.ok(section.includes(`**${part}**`), `${alert} does not say: ${part}`)
  }
  const alerts = new Set(alertRules().map(({ alert }) => alert))
  for (const text of sections)
    if (text.startsWith('### ')) assert.ok(alerts.has(text.split('\n')[0]!.slice(4)), `${text} has no alert`)
})

test('the tracing guide sends spans to the port on which its collector listens, with settings that exist', () => {
  const guide = readFileSync(new URL('../../docs/guides/tracing.md', import.meta.url), 'utf8')
  const [, yaml = ''] = /```yaml\n(.*?)```/s.exec(guide) ?? []
  const collector = parse(yaml)
  const { traces } = collector.service.pipelines
  for (const kind of ['receivers', 'processors', 'exporters'] as const)
    for (const name of traces[kind]) assert.ok(name in collector[kind], `${kind} ${name}`)
  const [, endpoint] = /^OTEL_EXPORTER_OTLP_ENDPOINT=http:\/\/(\S+)$/m.exec(guide) ?? []
  assert.equal(collector.receivers.otlp.protocols.http.endpoint, endpoint)
  for (const [, name = ''] of guide.matchAll(/^\| `([A-Z_]+)` \|/gm)) assert.ok(settingNames.has(name), name)
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
  const names = (isRaised: boolean) => {
    const found: string[] = cases
      .filter(({ exp_alerts }: { exp_alerts: unknown[] }) => exp_alerts.length > 0 === isRaised)
      .map(({ alertname }: { alertname: string }) => alertname)
    return [...new Set(found)].sort()
  }
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
