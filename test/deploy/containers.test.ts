import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { parseAllDocuments } from 'yaml'
import { settings } from '../../src/platform/config.ts'
import { commandNames, place, settingNames, textOf, yamlOf } from './files.ts'

const ports = [settings.port, settings.metricsPort].map(({ example }) => Number(example))

type Service = {
  command?: [string]
  environment: Record<string, string>
  ports?: string[]
  read_only?: boolean
  cap_drop?: string[]
  depends_on?: Record<string, { condition: string }>
  healthcheck?: object
}

test('compose: nodes have commands and settings that are there, wait for the migration, and may write nothing', () => {
  const services: Record<string, Service> = yamlOf('compose.yaml').services
  const { postgres, ...nodes } = services
  assert.ok(postgres?.healthcheck)
  assert.deepEqual(
    Object.values(nodes).map(({ command }) => command?.[0]),
    ['migrate', 'serve', 'work'],
  )
  for (const [name, node] of Object.entries(nodes)) {
    assert.ok(commandNames.has(node.command?.[0] ?? ''), name)
    for (const setting of Object.keys(node.environment)) assert.ok(settingNames.has(setting), setting)
    for (const setting of ['DATABASE_URL', 'SECRET_KEY', 'BASE_URL'])
      assert.ok(setting in node.environment, setting)
    assert.equal(node.read_only, true)
    assert.deepEqual(node.cap_drop, ['ALL'])
    for (const other of Object.keys(node.depends_on ?? {})) assert.ok(other in services, other)
    for (const port of node.ports ?? []) assert.equal(Number(port.split(':').at(-1)), ports[0])
  }
  assert.equal(nodes.migrate?.depends_on?.postgres?.condition, 'service_healthy')
  for (const name of ['serve', 'work'])
    assert.equal(nodes[name]?.depends_on?.migrate?.condition, 'service_completed_successfully')
})

test('compose: what must be set is in the example of its settings, and nothing secret has a default', () => {
  const example = textOf('compose.env.example')
  const needed = [...textOf('compose.yaml').matchAll(/\$\{(\w+):\?/g)].map(([, name = '']) => name)
  assert.deepEqual([...new Set(needed)].sort(), ['POSTGRES_PASSWORD', 'SECRET_KEY'])
  for (const name of needed) assert.match(example, new RegExp(`^${name}=$`, 'm'))
})

const templates = readdirSync(place('chart/templates')).map((name) => textOf(`chart/templates/${name}`))

test('chart: templates read values that are there, and the schema has exactly those', () => {
  const values = yamlOf('chart/values.yaml')
  const at = (keys: string[]) =>
    keys.reduce((within: Record<string, unknown> | undefined, key) => within?.[key] as never, values)
  for (const [, name = ''] of templates.join('\n').matchAll(/\.Values\.([\w.]+)/g))
    assert.notEqual(at(name.split('.')), undefined, name)
  const schema = JSON.parse(textOf('chart/values.schema.json'))
  assert.deepEqual(
    Object.keys(schema.properties)
      .filter((name) => name !== 'global')
      .sort(),
    Object.keys(values).sort(),
  )
  for (const name of Object.keys(values.settings)) assert.ok(settingNames.has(name), name)
  for (const name of Object.keys(schema.properties.settings.properties))
    assert.ok(settingNames.has(name), name)
})

type Manifest = {
  kind: string
  metadata: { name: string }
  // biome-ignore lint/suspicious/noExplicitAny: of many kinds
  spec: any
}

const everything = [
  'existingSecret=pesewa',
  'settings.BASE_URL=https://pay.example.org',
  'serve.autoscaling.enabled=true',
  'ingress.enabled=true',
  'ingress.host=pay.example.org',
  'ingress.tlsSecret=tls',
  'networkPolicy.enabled=true',
  'monitoring.serviceMonitor=true',
  'monitoring.prometheusRule=true',
  'filesSecret=files',
]
const helm = (...args: string[]) => spawnSync('helm', args, { encoding: 'utf8' })

test('chart: where there is a helm it is linted, refuses what its schema does, and renders pods that may do nothing', (t) => {
  if (helm('version').error) {
    t.diagnostic('there is no helm here: the chart was not rendered')
    return
  }
  const set = everything.flatMap((value) => ['--set', value])
  const linted = helm('lint', '--strict', place('chart'), ...set)
  assert.equal(linted.status, 0, linted.stdout)
  for (const wrong of ['settings.SECRET_KEY=x', 'unknown=1', 'serve.replicas=0', 'settings.BASE_URL=nothing'])
    assert.notEqual(
      helm('template', 'pay', place('chart'), '--kube-version', '1.31.0', ...set, '--set', wrong).status,
      0,
      wrong,
    )
  const text = execFileSync('helm', ['template', 'pay', place('chart'), '--kube-version', '1.31.0', ...set], {
    encoding: 'utf8',
  })
  const manifests = parseAllDocuments(text).map((document) => document.toJS() as Manifest)
  assert.deepEqual([...new Set(manifests.map(({ kind }) => kind))].sort(), [
    'Deployment',
    'HorizontalPodAutoscaler',
    'Ingress',
    'Job',
    'NetworkPolicy',
    'PodDisruptionBudget',
    'PrometheusRule',
    'Service',
    'ServiceMonitor',
  ])
  const pods = manifests
    .filter(({ kind }) => ['Deployment', 'Job'].includes(kind))
    .map(({ spec }) => spec.template)
  assert.deepEqual(pods.map(({ spec }) => spec.containers[0].args[0]).sort(), ['migrate', 'serve', 'work'])
  for (const { metadata, spec } of pods) {
    const [container] = spec.containers
    assert.equal(spec.securityContext.runAsNonRoot, true)
    assert.equal(container.securityContext.readOnlyRootFilesystem, true)
    assert.deepEqual(container.securityContext.capabilities.drop, ['ALL'])
    for (const { name } of container.env) assert.ok(settingNames.has(name), name)
    for (const { containerPort } of container.ports ?? []) assert.ok(ports.includes(containerPort))
    const named = new Set((container.ports ?? []).map(({ name }: { name: string }) => name))
    for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe'])
      if (metadata.labels['app.kubernetes.io/component'] !== 'migrate')
        assert.ok(named.has((container[probe].httpGet ?? container[probe].tcpSocket).port), probe)
  }
  const rule = manifests.find(({ kind }) => kind === 'PrometheusRule')
  assert.deepEqual(rule?.spec, yamlOf('prometheus/alerts.yaml'))
})
