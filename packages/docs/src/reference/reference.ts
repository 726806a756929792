import { anchorOf, type Rendered, renderMarkdown } from '../markdown.ts'
import { renderTemplate } from '../pages/templates.ts'
import { callsOf, isOwnPage, objectNamesOf, titleOf } from './api-calls.ts'
import { baseOf } from './example-call.ts'
import { noLinks } from './field-views.ts'
import { payloadsOf, renderPayloads } from './payloads-page.ts'
import { placeholders } from './requests.ts'
import { type ReferenceOptions, renderTag } from './resource-page.ts'

/** The API reference, which has a page for each tag, a page of webhook events, and a table of contents. */
export type Reference = {
  contents: { title: string; address: string; calls: CallEntry[] }[]
  addresses: string[]
  render(address: string): Rendered | undefined
  /**
   * Returns the path of the page that corresponds to an anchor in `docs/reference/api.md`. The pages have the
   * same anchors.
   */
  addressOfAnchor(anchor: string): string | undefined
}

export type CallEntry = { id: string; method: string; path: string; summary: string; address: string }

export const referenceAddress = '/docs/reference/api'
const payloadsAddress = '/docs/reference/payloads'
export const errorsAddress = '/docs/reference/errors'

export function openReference(options: ReferenceOptions): Reference {
  const { document } = options
  const calls = callsOf(document)
  const byTag = Map.groupBy(calls, ({ tag }) => tag)
  const tags = [...byTag].map(([tag, own]) => ({
    tag,
    title: titleOf(tag),
    address: `${referenceAddress}/${tag}`,
    calls: own,
  }))
  const contents = tags.map(({ title, address, calls }) => ({
    title,
    address,
    calls: calls.map(({ id, method, path, operation }) => ({
      id,
      method,
      path,
      summary: operation.summary ?? '',
      address: `${address}#${id}`,
    })),
  }))
  const payloads = payloadsOf(document)
  const anchors = new Map([
    ...tags
      .flatMap(({ title, calls, address }) =>
        objectNamesOf(calls, document).map((name) => ({
          id: anchorOf(name),
          address,
          isAtHome: isOwnPage(title, name),
        })),
      )
      // If there are several entries for an anchor, the last one is used.
      .toSorted((a, b) => Number(a.isAtHome) - Number(b.isAtHome))
      .map(({ id, address }) => [id, address] as const),
    ...tags.map(({ tag, address }) => [tag, address] as const),
    ...tags.flatMap(({ calls, address }) => calls.map(({ id }) => [id, address] as const)),
  ])
  const addressOfAnchor = (anchor: string) => {
    const address = anchors.get(anchor)
    return address && (byTag.has(anchor) ? address : `${address}#${anchor}`)
  }
  const pages = new Map<string, () => Rendered>([
    [referenceAddress, () => renderContents(contents, payloads.length > 0, options)],
    ...tags.map((page) => [page.address, () => renderTag(page, options)] as const),
    ...(payloads.length > 0
      ? [[payloadsAddress, () => renderPayloads(payloads, document, addressOfAnchor)] as const]
      : []),
  ])
  return {
    contents: [
      { title: 'All calls', address: referenceAddress, calls: [] },
      ...contents,
      ...(payloads.length > 0 ? [{ title: 'Webhook events', address: payloadsAddress, calls: [] }] : []),
    ],
    addresses: [...pages.keys()],
    render: (address) => pages.get(address)?.(),
    addressOfAnchor,
  }
}

function renderContents(
  contents: Reference['contents'],
  hasPayloads: boolean,
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
    payloads: hasPayloads && payloadsAddress,
  })
  const headings = [
    { id: 'every-call', text: 'Making requests', depth: 2 },
    { id: 'calls', text: 'All calls', depth: 2 },
  ]
  return { title, html, headings }
}
