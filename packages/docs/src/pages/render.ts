import { createHash } from 'node:crypto'
import { loadSheet } from '@pesewa/pages'
import { type ContentsEntry, type ContentsGroup, type Library, markdownAddress } from '../library.ts'
import type { Rendered } from '../markdown.ts'
import { sampleLabel, sampleLanguages } from '../sample-languages.ts'
import type { SearchHit } from '../search/docs-index.js'
import { scripts } from './scripts.ts'
import { renderTemplate } from './templates.ts'
import { type FrontLanguage, frontTexts } from './texts.ts'

export const html = 'text/html; charset=utf-8'

// The style sheet is inlined into each page, because on a slow network, a separate file would add a round trip
// before the first paint.
const frontStyle = loadSheet(import.meta.url, 'front.css')
const style = loadSheet(import.meta.url, 'docs.css')

/**
 * Runs before the first paint to prevent layout shifts. It signals that scripts are enabled, and restores the
 * chosen sample language. A stored value is used only if it is a known language.
 */
const earlyScript = `(d=>{let k;try{k=localStorage.getItem('docs.kind')}catch{}d.dataset.kind=${JSON.stringify(sampleLanguages)}.includes(k)?k:'${sampleLanguages[0]}'})(document.documentElement)`

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Returns the security headers of a page. They forbid framing, and all resources that `policy` does not allow. */
const securityHeaders = (policy: string[]) => ({
  'content-security-policy': [
    "default-src 'none'",
    ...policy,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  'cross-origin-opener-policy': 'same-origin',
})

const frontPolicy = [`style-src ${hashOf(frontStyle)}`, 'img-src data:']

/** The headers of the front page, which has no scripts and no forms. */
export const frontHeaders = securityHeaders([...frontPolicy, "form-action 'none'"])
/** The headers of the front page of a demo, whose buttons post forms. Their `Origin` must be sent. */
export const demoHeaders = {
  ...securityHeaders([...frontPolicy, "form-action 'self'"]),
  'referrer-policy': 'same-origin',
}

const policy = [
  `style-src ${hashOf(style)}`,
  `script-src 'self' ${hashOf(earlyScript)}`,
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
]
export const pageHeaders = securityHeaders(policy)
/** The Content-Security-Policy of pages that are written as files and served by another server. */
const filePolicy = ["default-src 'none'", ...policy, "base-uri 'none'"].join('; ')

type FrontView = {
  language: FrontLanguage
  baseUrl: string
  hasDocuments: boolean
  hasSimulator: boolean
  /** Present on the page of a demo: the address of the API reference with the demo's token. */
  demo?: { apiAddress: string }
}

export const renderFront = (view: FrontView) => {
  const t = frontTexts[view.language]
  return renderTemplate('front', { ...view, t, style: frontStyle, title: t.title })
}

type SiteContext = { contents: ContentsGroup[]; isServed: boolean; hasGuides: boolean }

type PageView = Rendered &
  SiteContext & {
    address: string
    isReference: boolean
    previous: ContentsEntry | undefined
    next: ContentsEntry | undefined
  }

/** A longer list would not be useful next to a page. */
const maxOnThisPage = 40 // headings listed next to a document

export const renderPage = ({ html, headings, ...view }: PageView): string =>
  render('document', {
    ...view,
    html,
    markdown: markdownAddress(view.address),
    kinds: kindsIn(html),
    headings: headings
      .filter(({ depth, text }) => (depth === 2 || depth === 3) && text !== '')
      .slice(0, maxOnThisPage),
  })

/** A page with fewer samples does not need a choice for the whole page. */
const minSamples = 3 // samples in several languages on a page with a choice of language

/** Returns the languages of the page's samples, if there are many. */
function kindsIn(html: string) {
  const groups = [...html.matchAll(/ data-kinds="([^"]*)"/g)].map(([, kinds = '']) => kinds.split(' '))
  if (groups.length < minSamples) return []
  return sampleLanguages
    .filter((kind) => groups.some((kinds) => kinds.includes(kind)))
    .map((kind) => ({ kind, label: sampleLabel(kind) }))
}

export const renderSearch = (view: SiteContext & { query: string; hits: SearchHit[] }): string =>
  render('search', {
    ...view,
    title: 'Search',
    address: '/docs/search',
    isReference: false,
    search: view.query,
  })

/** Renders the 404 page. It is shown if a page does not exist or the documents are not installed. */
export const renderMissing = (library: Library | undefined, isServed: boolean): string =>
  render('missing', {
    title: library ? 'Page not found' : 'Guides not installed',
    contents: library?.contents ?? [],
    hasGuides: library !== undefined,
    isServed,
    address: '',
    isReference: false,
  })

const render = (template: string, view: object) =>
  renderTemplate(template, {
    headings: [],
    previous: undefined,
    next: undefined,
    search: '',
    markdown: undefined,
    kinds: [],
    ...view,
    language: 'en',
    style,
    earlyScript,
    scripts,
    filePolicy,
  })
