import { markdownAddress } from '../library.ts'
import { type Rendered, renderMarkdown } from '../markdown.ts'
import { renderTemplate } from '../pages/templates.ts'
import type { ReferenceOptions } from './call-description.ts'
import { baseOf } from './example-call.ts'
import { noLinks } from './field-views.ts'
import { placeholders } from './requests.ts'
import { joined } from './resource-markdown.ts'

/** The pages of the reference, in groups. */
export type ReferenceContents = { name: string; pages: ReferencePage[] }[]

type ReferencePage = { tag: string; title: string; address: string; calls: CallEntry[] }

type CallEntry = { id: string; method: string; path: string; summary: string; address: string }

/** Renders the first page of the reference: how to make requests, and all calls. */
export function renderContents(
  contents: ReferenceContents,
  payloads: string | undefined,
  { document, canSend }: ReferenceOptions,
): Rendered {
  const title = 'API reference'
  const about = renderMarkdown(document.info?.description ?? '', noLinks).html
  const html = renderTemplate('reference', {
    title,
    contents,
    about,
    canSend,
    // The URL of the service is unknown, so the reader has to enter it.
    asksForBase: !canSend && baseOf(document) === placeholders.base,
    payloads,
  })
  const headings = [
    { id: 'every-call', text: 'Making requests', depth: 2 },
    { id: 'openapi', text: 'OpenAPI, Postman and Insomnia', depth: 2 },
    { id: 'calls', text: 'All calls', depth: 2 },
  ]
  return { title, html, headings }
}

/** Renders the list of all calls as Markdown, with links to the Markdown of their pages. */
export const contentsMarkdown = (contents: ReferenceContents, about: string): string =>
  joined([
    '# API reference',
    about,
    '## All calls',
    ...contents.flatMap(({ pages }) =>
      pages.map(({ title, address, calls }) =>
        joined([
          `### [${title}](${markdownAddress(address)})`,
          calls.map(({ method, path, summary }) => `- \`${method} ${path}\`: ${summary}`).join('\n'),
        ]),
      ),
    ),
  ])
