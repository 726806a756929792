import { htmlToText } from '../html.ts'
import type { Rendered } from '../markdown.ts'
import type { Section } from './docs-index.js'

/** Text beyond this length is not indexed. */
const maxSectionCharacters = 6_000 // characters indexed per documentation section

/** The beginning of a decision, with its summary, is enough to find it. */
const maxDecisionCharacters = 400 // characters indexed per decision record

/** Splits a page into sections at its headings. */
export function sectionsOf(address: string, { title, html }: Rendered): Section[] {
  const place = address.slice('/docs/'.length)
  // Samples repeat the fields, and the headers are the same on every page.
  const parts = html
    .replace(/<div class="half samples-half">[\s\S]*?(?=<\/section>)/g, '')
    .replace(/<button[\s\S]*?<\/button>/g, '')
    .replace(/<p class="headers">[\s\S]*?<\/p>/g, '')
    .split(/(?=<h1[ >]|<h[23] id=|<tr id=)/)
    .map(
      (part) =>
        rowIn(part) ??
        /^<h([1-3])(?: id="([^"]*)")?>([\s\S]*?)<\/h\1>/.exec(part) ?? {
          0: '',
          1: '',
          2: '',
          3: '',
          input: part,
        },
    )
    .map(({ 0: head, 2: id = '', 3: words = '', input }) => ({
      id,
      heading: htmlToText(words),
      text: htmlToText(input.slice(head.length)),
      isRow: input.startsWith('<tr id='),
    }))
  const sections = parts.filter(({ heading, text }) => heading !== '' || text !== '')
  const shown = place.startsWith('decisions/') ? sections.slice(0, 1) : sections
  const max = place.startsWith('decisions/') ? maxDecisionCharacters : maxSectionCharacters
  return shown.map(({ id, heading, text, isRow }, at) => ({
    // The first section represents the page itself.
    address: at === 0 ? place : `${place}#${id}`,
    page: title,
    heading: heading || title,
    text: text.slice(0, max),
    ...(isRow && { isRow }),
  }))
}

/** Parses a row of a table that has an anchor, such as that of a setting. Its code is its heading. */
const rowIn = (part: string) => {
  const [, id = '', name = ''] = /^<tr id="([^"]*)">[\s\S]*?<code>([^<]*)<\/code>/.exec(part) ?? []
  return id === '' ? undefined : { 0: '', 1: '', 2: id, 3: name, input: part }
}
