import { createRequire } from 'node:module'
import { escaped } from './html.ts'
import { kinds } from './kinds.ts'

/** A block of code; `title`: what its tab is called. */
export type Sample = { code: string; language: string; title?: string | undefined }

/** As far as it is used here: the package's own types bring those of browsers to the whole program. */
type Highlighter = {
  configure(options: { classPrefix: string }): void
  registerLanguage(name: string, language: unknown): void
  registerAliases(aliases: string[], options: { languageName: string }): void
  getLanguage(name: string): unknown
  highlight(code: string, options: { language: string }): { value: string }
}

const require = createRequire(import.meta.url)
const highlighter: Highlighter = require('highlight.js/lib/core')
highlighter.configure({ classPrefix: 'c-' })
const languages = ['bash', 'ini', 'javascript', 'json', 'php', 'sql', 'typescript', 'xml', 'yaml']
for (const name of languages)
  highlighter.registerLanguage(name, require(`highlight.js/lib/languages/${name}`))
highlighter.registerAliases(['env'], { languageName: 'ini' })

/** Longer ones are shown without colours. */
const maxColouredCharacters = 50_000 // limit: characters of a block of code that is shown with colours

/** As HTML, which scrolls by itself where it is wider than a phone, with keys, too. */
export function renderCode({ code, language }: Sample, decorate = (html: string) => html): string {
  const hasColours = highlighter.getLanguage(language) !== undefined && code.length <= maxColouredCharacters
  const html = hasColours ? highlighter.highlight(code, { language }).value : escaped(code)
  const name = language === '' ? '' : ` class="language-${escaped(language)}"`
  return `<div class="code"><pre tabindex="0"><code${name}>${decorate(html)}</code></pre>${copyButton}</div>\n`
}

/** Shown where there is a script to do it. */
const copyButton = '<button class="copy" type="button">Copy</button>'

/** The same in several languages: one after another, with their titles; with the script one is shown, and tabs for the others. */
export function renderSamples(samples: Sample[], decorate?: (html: string) => string): string {
  const titles = samples.map(({ title = '' }) => title)
  const hasTabs = areTabs(titles)
  const blocks = samples.map((sample) => {
    const title = escaped(sample.title ?? '')
    return `<div class="sample"${hasTabs ? ` data-kind="${title}"` : ''}><p class="kind">${title}</p>\n${renderCode(sample, decorate)}</div>\n`
  })
  return `<div class="samples"${hasTabs ? ` data-kinds="${titles.join(' ')}"` : ''}>\n${hasTabs ? tabs(titles) : ''}${blocks.join('')}</div>\n`
}

const areTabs = (titles: string[]) =>
  titles.length > 1 &&
  new Set(titles).size === titles.length &&
  titles.every((title) => kinds.some((kind) => kind === title))

const tabs = (titles: string[]) =>
  `<div class="kinds">${titles.map((title) => `<button type="button" data-kind="${title}">${title}</button>`).join('')}</div>\n`
