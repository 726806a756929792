import type { CallDescription } from './call-description.ts'
import type { ShownField, ShownGroup } from './fields.ts'
import type { ResourceDescription } from './resource-page.ts'

/** Renders the page of a resource as Markdown, for programs and for readers who copy it. */
export const resourceMarkdown = ({ title, description, calls, objects }: ResourceDescription): string =>
  joined([
    `# ${title}`,
    description,
    ...calls.map(callMarkdown),
    ...objects.map(({ name, description, groups }) =>
      joined([`## ${name}`, description, groupsMarkdown(groups)]),
    ),
  ])

function callMarkdown(call: CallDescription): string {
  const { summary, method, path, description, headers, response, samples, reasons } = call
  const [curl] = samples
  return joined([
    `## ${summary}`,
    `\`${method} ${path}\``,
    description,
    call.isForPeople && forPeople,
    headers.length > 0 &&
      `Headers: ${headers.map(({ name, isRequired }) => `\`${name}\`${isRequired ? '' : ' (optional)'}`).join(', ')}`,
    ...section('Path', [{ name: '', fields: call.inAddress }]),
    ...section('Query', [{ name: '', fields: call.inQuery }]),
    ...section('Body', call.body),
    '### Response',
    response.object && `${response.isList ? 'A page of' : 'Object:'} ${response.object}`,
    groupsMarkdown(response.groups),
    reasons.length > 0 && `Errors: ${reasons.map((reason) => `\`${reason}\``).join(', ')}`,
    '### Example',
    curl && fenced(curl),
    response.example && fenced(response.example),
  ])
}

const forPeople =
  'Only for users who are signed in to the console. This call does not accept a token; it needs the session’s cookie.'

const section = (heading: string, groups: ShownGroup[]) =>
  groups.some(({ fields }) => fields.length > 0) ? [`### ${heading}`, groupsMarkdown(groups)] : []

export const groupsMarkdown = (groups: ShownGroup[]): string =>
  groups
    .map(({ name, fields }) =>
      joined([name && `With \`${name}\`:`, fields.map((field) => fieldMarkdown(field, '')).join('\n')]),
    )
    .join('\n\n')

function fieldMarkdown(
  { name, kind, isRequired, description, ...field }: ShownField,
  indent: string,
): string {
  const facts = [
    field.values.length > 0 && `one of ${field.values.map((value) => `\`${value}\``).join(', ')}`,
    ...field.bounds,
    field.example !== undefined && `example \`${field.example}\``,
  ].filter(Boolean)
  const line = `${indent}- \`${name}\` (${kind}${isRequired ? ', required' : ''})`
  const texts = [description.replaceAll('\n', ' '), facts.length > 0 && `${facts.join('; ')}.`].filter(
    Boolean,
  )
  return [
    texts.length > 0 ? `${line}: ${texts.join(' ')}` : line,
    ...field.inner.flatMap(({ name, fields }) => [
      ...(name ? [`${indent}  - With \`${name}\`:`] : []),
      ...fields.map((inner) => fieldMarkdown(inner, `${indent}${name ? '    ' : '  '}`)),
    ]),
  ].join('\n')
}

export const fenced = ({ language, code }: { language: string; code: string }) =>
  `\`\`\`${language}\n${code.trimEnd()}\n\`\`\``

export const joined = (parts: (string | false | undefined)[]) => parts.filter(Boolean).join('\n\n')
