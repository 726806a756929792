import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'yaml'
import { commands } from '../../packages/server/src/cli/command-line.ts'
import { settingDefinitions } from '../../packages/server/src/slices.ts'

const root = path.resolve(import.meta.dirname, '../..')

export const place = (name: string) => path.join(root, 'deploy', name)
export const textOf = (name: string) => readFileSync(place(name), 'utf8')
// biome-ignore lint/suspicious/noExplicitAny: any file content
export const yamlOf = (name: string): any => parse(textOf(name), { merge: true })

/** Names of all settings as environment variables. */
export const settingNames = new Set(Object.values(settingDefinitions).map(({ name }) => name))

/** Lists all commands of the program. */
export const commandNames = new Set(commands().commands.map((command) => command.name()))

export type KnownMetric = { type: string; labels: string[] }

/** Lists a node's metrics, from the generated reference page. */
export function knownMetrics(): Map<string, KnownMetric> {
  const text = readFileSync(path.join(root, 'docs/reference/metrics.md'), 'utf8')
  const rows = [...text.matchAll(/^\| `(pesewa_\w+)` \| (\w+) \| ([^|]*) \|/gm)]
  return new Map(
    rows.map(([, name = '', type = '', labels = '']) => [
      name,
      { type, labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label = '']) => label) },
    ]),
  )
}

/**
 * Returns the metrics and labels of an expression that no node exposes. Prometheus itself adds `instance` and
 * renames `job`.
 */
export function unknownIn(expression: string, known: Map<string, KnownMetric>): string[] {
  const issues: string[] = []
  const labels = new Set(['instance', 'le'])
  const metrics = [...expression.matchAll(/\b(pesewa_\w+)(?:\{([^}]*)\})?/g)]
  for (const [, shown = '', matchers = ''] of metrics) {
    const histogram = shown.replace(/_(count|sum|bucket)$/, '')
    const metric =
      known.get(shown) ?? (known.get(histogram)?.type === 'histogram' ? known.get(histogram) : undefined)
    const isPart = known.get(shown)?.type === 'histogram'
    if (!metric || isPart) issues.push(`no node shows ${shown}`)
    const own = (metric?.labels ?? []).map((label) => (label === 'job' ? 'exported_job' : label))
    for (const label of own) labels.add(label)
    for (const [, label = ''] of matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g))
      if (!own.includes(label)) issues.push(`${shown} has no label ${label}`)
  }
  for (const [, list = ''] of expression.matchAll(/\bby \(([^)]*)\)/g))
    for (const label of list.split(',').map((one) => one.trim()))
      if (!labels.has(label)) issues.push(`nothing in ${expression} has the label ${label}`)
  return issues
}
