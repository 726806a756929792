import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { parseAllDocuments } from 'yaml'
import { settings } from '../../packages/server/src/platform/config.ts'
import { commandNames, place, settingNames, textOf, yamlOf } from './files.ts'

/** Time that a node needs to shut down, in addition to DRAIN_SECONDS: see `program.ts`. */
const shutdownLimitSeconds = 25
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

test('compose: nodes have valid commands and settings, wait for the migration, and have read-only file systems', () => {
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

test('compose: required settings are in the example file, and no secret has a default', () => {
  const example = textOf('compose.env.example')
  const needed = [...textOf('compose.yaml').matchAll(/\$\{(\w+):\?/g)].map(([, name = '']) => name)
  assert.deepEqual([...new Set(needed)].sort(), ['POSTGRES_PASSWORD', 'SECRET_KEY'])
  for (const name of needed) assert.match(example, new RegExp(`^${name}=$`, 'm'))
})

test('compose: with high availability, nodes know both servers and wait for the standby', () => {
  const { services } = yamlOf('compose.ha.yaml')
  const nodes: Record<string, Service> = yamlOf('compose.yaml').services
  for (const name of ['migrate', 'serve', 'work']) {
    assert.ok(name in nodes)
    assert.match(services[name].environment.DATABASE_URL, /@postgres:5432,standby:5432\/pesewa$/)
  }
  assert.equal(services.migrate.depends_on.standby.condition, 'service_healthy')
  assert.equal(services.standby.image, yamlOf('compose.yaml').services.postgres.image)
  for (const { volumes = [] } of [services.postgres, services.standby])
    for (const [, file = ''] of volumes.join('\n').matchAll(/^\.\/(\S+?):/gm)) textOf(file)
  const needed = [...textOf('compose.ha.yaml').matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name)
  assert.deepEqual([...new Set(needed)].sort(), ['POSTGRES_PASSWORD', 'REPLICATION_PASSWORD'])
})

const templates = readdirSync(place('chart/templates')).map((name) => textOf(`chart/templates/${name}`))

test('chart: by default no address is trusted, and a policy protects the metrics', () => {
  const { settings: set, networkPolicy } = yamlOf('chart/values.yaml')
  assert.equal(set.TRUSTED_PROXIES, '')
  assert.deepEqual(networkPolicy, { enabled: true, from: [], metricsFrom: [] })
})

test('chart: templates use existing values, and the schema has exactly those', () => {
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
  metadata: { name: string; annotations?: Record<string, string> }
  // biome-ignore lint/suspicious/noExplicitAny: objects of many kinds
  spec: any
}

const everything = [
  'existingSecret=pesewa',
  'settings.BASE_URL=https://pay.example.org',
  'serve.autoscaling.enabled=true',
  'ingress.enabled=true',
  'ingress.host=pay.example.org',
  'ingress.tlsSecret=tls',
  'settings.TRUSTED_PROXIES=10.20.0.0/16',
  'networkPolicy.from[0].namespaceSelector.matchLabels.name=ingress',
  'networkPolicy.metricsFrom[0].namespaceSelector.matchLabels.name=monitoring',
  'monitoring.serviceMonitor=true',
  'monitoring.prometheusRule=true',
  'filesSecret=files',
]
const run = (program: string, args: string[], input = '') =>
  spawnSync(program, args, { encoding: 'utf8', input })
const helm = (...args: string[]) => run('helm', args)
const skipWithout = (...programs: string[]) => {
  const missing = programs.filter((program) => run(program, ['--help']).status !== 0)
  return missing.length === 0 ? false : `${missing.join(', ')} not found: see .ci/chart-tools`
}

test('compose: the files conform to the Compose specification', {
  skip: skipWithout('check-jsonschema'),
}, () => {
  const check = (file: string) => run('check-jsonschema', ['--builtin-schema', 'vendor.compose-spec', file])
  for (const file of ['compose.yaml', 'compose.ha.yaml']) {
    const checked = check(place(file))
    assert.equal(checked.status, 0, checked.stdout)
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'pesewa-compose-'))
  try {
    const wrong = path.join(folder, 'compose.yaml')
    writeFileSync(wrong, textOf('compose.yaml').replaceAll('read_only:', 'readonly:'))
    assert.equal(check(wrong).status, 1)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

/** Typical values: required ones only, everything, a single node of each kind, and without optional parts. */
const required = everything.slice(0, 2)
const setups = {
  'required values': required,
  everything,
  'an image from a registry, and one node of each kind': [
    ...required,
    'image.repository=registry.example/pesewa',
    'image.tag=v1',
    'imagePullSecrets[0].name=registry',
    'serve.replicas=1',
    'work.replicas=1',
  ],
  'high availability': ['values-ha.yaml', ...required],
  'few optional parts and dedicated nodes': [
    ...required,
    'migrate.enabled=false',
    'podDisruptionBudget.enabled=false',
    'spread=none',
    'service.type=NodePort',
    'serviceAccountName=pesewa',
    'nodeSelector.pool=payments',
    'tolerations[0].key=payments',
    'tolerations[0].operator=Exists',
    'podAnnotations.team=payments',
  ],
}
/** Returns the option for a value, or for a file of values next to the chart's own. */
const optionOf = (value: string) =>
  value.endsWith('.yaml') ? ['--values', place(`chart/${value}`)] : ['--set', value]
const oldest = '1.25.0'
const newest = '1.37.0'
const foreignKinds = ['ServiceMonitor', 'PrometheusRule']

for (const [name, values] of Object.entries(setups))
  test(`chart: with ${name}, the oldest and the newest Kubernetes accept its objects`, {
    skip: skipWithout('helm', 'kubernetes-validate'),
  }, () => {
    const set = values.flatMap(optionOf)
    for (const version of [oldest, newest]) {
      const rendered = helm('template', 'pay', place('chart'), '--kube-version', version, ...set)
      assert.equal(rendered.status, 0, rendered.stderr)
      // Kubernetes has no schemas for the Prometheus Operator's kinds.
      const text = rendered.stdout
        .split(/^---$/m)
        .filter((one) => !foreignKinds.some((kind) => one.includes(`kind: ${kind}`)))
        .join('---')
      const validate = (objects: string) =>
        run('kubernetes-validate', ['--strict', '-k', version, '-'], objects)
      const validated = validate(text)
      assert.equal(validated.status, 0, validated.stdout + validated.stderr)
      assert.notEqual(validate(text.replace('containerPort:', 'containersPort:')).status, 0)
    }
  })

test('chart: it passes lint, rejects invalid values, and renders locked-down pods', {
  skip: skipWithout('helm'),
}, () => {
  const set = everything.flatMap((value) => ['--set', value])
  const linted = helm('lint', '--strict', place('chart'), ...set)
  assert.equal(linted.status, 0, linted.stdout)
  const unbacked = ['networkPolicy.from=null', 'networkPolicy.metricsFrom=null']
  for (const wrong of [
    ...unbacked,
    'settings.SECRET_KEY=x',
    'settings.DRAIN_SECONDS=5',
    'serve.drainSeconds=-1',
    'unknown=1',
    'serve.replicas=0',
    'settings.BASE_URL=nothing',
  ])
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
  for (const { spec } of manifests.filter(({ kind }) => kind === 'Deployment')) {
    assert.deepEqual(spec.strategy.rollingUpdate, { maxUnavailable: 0, maxSurge: 1 })
    const { containers, terminationGracePeriodSeconds } = spec.template.spec
    const drain = containers[0].env.find(({ name }: { name: string }) => name === 'DRAIN_SECONDS')
    assert.equal(drain?.value, containers[0].args[0] === 'serve' ? '10' : undefined)
    assert.ok(terminationGracePeriodSeconds > Number(drain?.value ?? 0) + shutdownLimitSeconds)
  }
  const migration = manifests.find(({ kind }) => kind === 'Job')
  assert.equal(migration?.metadata.annotations?.['helm.sh/hook'], 'pre-install,pre-upgrade')
  const rule = manifests.find(({ kind }) => kind === 'PrometheusRule')
  assert.deepEqual(rule?.spec, yamlOf('prometheus/alerts.yaml'))
})

test('chart: with high availability, each role has three pods on different machines, of which at most one is evicted', {
  skip: skipWithout('helm'),
}, () => {
  const set = ['values-ha.yaml', ...required].flatMap(optionOf)
  const { stdout } = helm('template', 'pay', place('chart'), '--kube-version', newest, ...set)
  const manifests = parseAllDocuments(stdout).map((document) => document.toJS() as Manifest)
  const deployments = manifests.filter(({ kind }) => kind === 'Deployment')
  assert.deepEqual(deployments.map(({ metadata }) => metadata.name).sort(), ['pay-serve', 'pay-work'])
  for (const { metadata, spec } of deployments) {
    assert.equal(spec.replicas, 3)
    const [spread] = spec.template.spec.topologySpreadConstraints
    assert.equal(spread.whenUnsatisfiable, 'DoNotSchedule')
    assert.deepEqual(spread.labelSelector, spec.selector)
    const budget = manifests.find(
      ({ kind, metadata: { name } }) => kind === 'PodDisruptionBudget' && name === metadata.name,
    )
    assert.deepEqual(budget?.spec, { maxUnavailable: 1, selector: spec.selector })
  }
})
