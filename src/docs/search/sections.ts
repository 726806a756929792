import { textOf } from '../html.ts'
import type { Rendered } from '../markdown.ts'
import type { Section } from './docs-index.js'

/** What is beyond is not found by its words. */
const maxSectionCharacters = 6_000 // limit: characters of a section of a document that can be found by search

/** Of a decision its summary is enough to be found by. */
const maxDecisionCharacters = 400 // limit: characters of a decision that can be found by search

/** A page in the parts that its headings make. */
export function sectionsOf(address: string, { title, html }: Rendered): Section[] {
  const place = address.slice('/docs/'.length)
  // Samples say again what the fields say, and headers are the same everywhere.
  const parts = html
    .replace(/<div class="half samples-half">[\s\S]*?(?=<\/section>)/g, '')
    .replace(/<button[\s\S]*?<\/button>/g, '')
    .replace(/<p class="headers">[\s\S]*?<\/p>/g, '')
    .split(/(?=<h1[ >]|<h[23] id=)/)
    .map(
      (part) =>
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
      heading: textOf(words),
      text: textOf(input.slice(head.length)),
    }))
  const sections = parts.filter(({ heading, text }) => heading !== '' || text !== '')
  const shown = place.startsWith('decisions/') ? sections.slice(0, 1) : sections
  const max = place.startsWith('decisions/') ? maxDecisionCharacters : maxSectionCharacters
  return shown.map(({ id, heading, text }, at) => ({
    // The title's own section is the page itself.
    address: at === 0 ? place : `${place}#${id}`,
    page: title,
    heading: heading || title,
    text: text.slice(0, max),
  }))
}
