import { Refusal, refusalCatalogue } from '../../packages/server/src/platform/refusals.ts'
import { code, page, plain, table, writtenByCode } from './markdown.ts'

/** Writes `docs/reference/errors.md`. */
export function writeErrors(): string {
  const rows = Object.entries(refusalCatalogue).map(([reason, [status, message]]) => [
    String(status),
    code(reason),
    plain(message),
  ])
  const { status, reason, message } = new Refusal('arguments_invalid')
  const details = [{ param: 'lineItems[0].price.value', errors: ['must be at least 1'] }]
  const example = { success: false, messages: [message], error: { code: status, reason, message, details } }
  return page(
    writtenByCode('packages/server/src/platform/refusals.ts'),
    '# Errors',
    'All refusals have the same form. Programs should check `reason`; `message` is for people and may change. `details` lists each invalid argument with all its errors.',
    `\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``,
    table(['Status', 'Reason', 'Message'], rows),
  )
}
