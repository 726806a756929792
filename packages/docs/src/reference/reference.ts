import { anchorOf, type Rendered } from '../markdown.ts'
import { callsOf, isOwnPage, objectNamesOf, titleOf } from './api-calls.ts'
import type { ReferenceOptions } from './call-description.ts'
import { contentsMarkdown, type ReferenceContents, renderContents } from './contents-page.ts'
import { payloadsMarkdown, payloadsOf, renderPayloads } from './payloads-page.ts'
import { resourceMarkdown } from './resource-markdown.ts'
import { describeResource, renderResource } from './resource-page.ts'

/** The API reference, which has a page for each tag, a page of webhook events, and a table of contents. */
export type Reference = {
  contents: ReferenceContents
  addresses: string[]
  render(address: string): Rendered | undefined
  /** Returns a page as Markdown. */
  markdown(address: string): string | undefined
  /**
   * Returns the path of the page that corresponds to an anchor in `docs/reference/api.md`. The pages have the
   * same anchors.
   */
  addressOfAnchor(anchor: string): string | undefined
}

const referenceAddress = '/docs/reference/api'
const payloadsAddress = '/docs/reference/payloads'

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
  const pagesOfTags = tags.map(({ tag, title, address, calls }) => ({
    tag,
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
  const groups = document['x-tagGroups'] ?? [{ name: 'Resources', tags: tags.map(({ tag }) => tag) }]
  const contents = groups.map(({ name, tags }) => ({
    name,
    pages: pagesOfTags.filter(({ tag }) => tags.includes(tag)),
  }))
  const payloads = payloadsOf(document)
  const anchors = new Map([
    ...tags
      .flatMap(({ tag, calls, address }) =>
        objectNamesOf(calls, document).map((name) => ({
          id: anchorOf(name),
          address,
          isAtHome: isOwnPage(tag, name),
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
  const pages = new Map<string, { render(): Rendered; markdown(): string }>([
    [
      referenceAddress,
      {
        render: () => renderContents(contents, payloads.length > 0 ? payloadsAddress : undefined, options),
        markdown: () => contentsMarkdown(contents, document.info?.description ?? ''),
      },
    ],
    ...tags.map((page): [string, { render(): Rendered; markdown(): string }] => {
      const describe = () => describeResource(page, options)
      return [
        page.address,
        { render: () => renderResource(describe()), markdown: () => resourceMarkdown(describe()) },
      ]
    }),
  ])
  if (payloads.length > 0)
    pages.set(payloadsAddress, {
      render: () => renderPayloads(payloads, document, addressOfAnchor),
      markdown: () => payloadsMarkdown(payloads, document),
    })
  return {
    contents: [
      {
        name: 'API reference',
        pages: [
          { tag: '', title: 'Making requests', address: referenceAddress, calls: [] },
          ...(payloads.length > 0
            ? [{ tag: '', title: 'Webhook events', address: payloadsAddress, calls: [] }]
            : []),
        ],
      },
      ...contents,
    ],
    addresses: [...pages.keys()],
    render: (address) => pages.get(address)?.render(),
    markdown: (address) => pages.get(address)?.markdown(),
    addressOfAnchor,
  }
}
