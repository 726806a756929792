import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'yaml'
import { code, table, writtenByCode } from './markdown.ts'

const root = path.resolve(import.meta.dirname, '../..')
const source = 'deploy/prometheus/alerts.yaml'

export type AlertRule = {
  alert: string
  expr: string
  for?: string
  labels: { severity: string }
  annotations: { summary: string; action: string; guide: string }
}

const alertsText = () => readFileSync(path.join(root, source), 'utf8')

export const alertRules = (): AlertRule[] =>
  parse(alertsText()).groups.flatMap(({ rules }: { rules: AlertRule[] }) => rules)

/** The chart has a copy: it can read no file outside of its folder. */
export const writeChartAlerts = (): string =>
  alertsText().replace(/^#.*\n/, `# Written by \`npm run write\` from ${source}: edit that instead.\n`)

const head = writtenByCode(code(source))
const end = '<!-- The end of what is written by code. -->'

/** `docs/start.md` with its table of alerts as it should be; the rest stays as it is. */
export function writeStart(text = readFileSync(path.join(root, 'docs/start.md'), 'utf8')): string {
  const [before, after] = [text.indexOf(head), text.indexOf(end)]
  if (before < 0 || after < before) throw new Error('docs/start.md has no place for its table of alerts')
  const rows = alertRules().map(({ alert, labels, annotations: { summary, action, guide } }) => [
    code(alert),
    labels.severity,
    summary,
    `${action} [More](guides/${guide})`,
  ])
  const shown = table(['alert', 'severity', 'when', 'what to do'], rows)
  return `${text.slice(0, before)}${head}\n\n${shown}\n\n${text.slice(after)}`
}
