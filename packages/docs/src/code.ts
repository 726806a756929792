import { createRequire } from 'node:module'
import { escaped } from './html.ts'
import { sampleLabel, sampleLanguages } from './sample-languages.ts'

/** A code block. `title` is the label of its tab. */
export type Sample = { code: string; language: string; title?: string | undefined }

/**
 * The part of the package's API that is used here. The package's own types would add the DOM types to the whole
 * program.
 */
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
const languages = ['bash', 'ini', 'javascript', 'json', 'php', 'python', 'sql', 'typescript', 'xml', 'yaml']
for (const name of languages)
  highlighter.registerLanguage(name, require(`highlight.js/lib/languages/${name}`))
highlighter.registerAliases(['env'], { languageName: 'ini' })

/** Longer blocks are not highlighted. */
const maxColouredCharacters = 50_000 // characters in a code block that is highlighted

/**
 * Renders a code block as HTML. If the block is wider than the screen, it can be scrolled, including with the
 * keyboard.
 */
export function renderCode({ code, language }: Sample, decorate = (html: string) => html): string {
  const hasColours = highlighter.getLanguage(language) !== undefined && code.length <= maxColouredCharacters
  const html = hasColours ? highlighter.highlight(code, { language }).value : escaped(code)
  const name = language === '' ? '' : ` class="language-${escaped(language)}"`
  return `<div class="code"><pre tabindex="0"><code${name}>${decorate(html)}</code></pre>${copyButton}</div>\n`
}

/** The button is visible only if scripts are enabled. */
const copyButton = '<button class="copy" type="button">Copy</button>'

/**
 * Renders the same sample in several languages, one below the other, each with its title. If scripts are
 * enabled, the samples become tabs.
 */
export function renderSamples(samples: Sample[], decorate?: (html: string) => string): string {
  const titles = samples.map(({ title = '' }) => title)
  const hasTabs = areTabs(titles)
  const blocks = samples.map((sample) => {
    const title = escaped(sample.title ?? '')
    return `<div class="sample"${hasTabs ? ` data-kind="${title}"` : ''}><p class="kind">${sampleLabel(title)}</p>\n${renderCode(sample, decorate)}</div>\n`
  })
  return `<div class="samples"${hasTabs ? ` data-kinds="${titles.join(' ')}"` : ''}>\n${hasTabs ? tabs(titles) : ''}${blocks.join('')}</div>\n`
}

const areTabs = (titles: string[]) =>
  titles.length > 1 &&
  new Set(titles).size === titles.length &&
  titles.every((title) => sampleLanguages.some((kind) => kind === title))

const tabs = (titles: string[]) =>
  `<div class="kinds">${titles.map((title) => `<button type="button" data-kind="${title}">${sampleLabel(title)}</button>`).join('')}</div>\n`
