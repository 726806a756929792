import { createHash } from 'node:crypto'
import { readStyle } from '../../platform/pages/assets.ts'
import { kinds } from '../kinds.ts'
import type { ContentsEntry, ContentsGroup, Library } from '../library.ts'
import type { Rendered } from '../markdown.ts'
import type { SearchHit } from '../search/docs-index.js'
import { scripts } from './scripts.ts'
import { renderTemplate } from './templates.ts'
import { type FrontLanguage, frontTexts } from './texts.ts'

export const html = 'text/html; charset=utf-8'

/** Comments and space are no use to a browser; what is packed is smaller without. */
const compact = (css: string) =>
  css
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,>]) ?/g, '$1')
    .trim()

// In the page itself: on a slow network a file of its own is one more round trip before anything is seen.
const frontStyle = compact(readStyle(import.meta.url, 'front.css'))
const style = compact(readStyle(import.meta.url, 'docs.css'))

/**
 * Before anything is painted, so that nothing moves afterwards: that there is a script, and what samples the reader chose to see.
 * Whatever is stored is one of ours or is not used.
 */
const early = `(d=>{let k;try{k=localStorage.getItem('docs.kind')}catch{}d.dataset.kind=${JSON.stringify(kinds)}.includes(k)?k:'${kinds[0]}'})(document.documentElement)`

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Nothing from elsewhere, and in nobody's frame. */
const headersWith = (policy: string[]) => ({
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

/** The front page has no script, and nothing to send. */
export const frontHeaders = headersWith([
  `style-src ${hashOf(frontStyle)}`,
  'img-src data:',
  "form-action 'none'",
])

const policy = [
  `style-src ${hashOf(style)}`,
  `script-src 'self' ${hashOf(early)}`,
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
]
export const pageHeaders = headersWith(policy)
/** For pages that are served by another program, as files. */
const filePolicy = ["default-src 'none'", ...policy, "base-uri 'none'"].join('; ')

type FrontView = { language: FrontLanguage; baseUrl: string; hasDocuments: boolean; hasSimulator: boolean }

export const renderFront = (view: FrontView) => {
  const t = frontTexts[view.language]
  return renderTemplate('front', { ...view, t, style: frontStyle, title: t.title })
}

type Place = { contents: ContentsGroup[]; isServed: boolean; hasGuides: boolean }

type PageView = Rendered &
  Place & {
    address: string
    isReference: boolean
    previous: ContentsEntry | undefined
    next: ContentsEntry | undefined
  }

/** More are of no use beside a page. */
const maxOnThisPage = 40 // limit: headings beside a document

export const renderPage = ({ html, headings, ...view }: PageView): string =>
  render('document', {
    ...view,
    html,
    headings: headings
      .filter(({ depth, text }) => (depth === 2 || depth === 3) && text !== '')
      .slice(0, maxOnThisPage),
  })

export const renderSearch = (view: Place & { query: string; hits: SearchHit[] }): string =>
  render('search', {
    ...view,
    title: 'Search',
    address: '/docs/search',
    isReference: false,
    search: view.query,
  })

/** There is no such document, or none at all. */
export const renderMissing = (library: Library | undefined, isServed: boolean): string =>
  render('missing', {
    title: library ? 'There is no such page' : 'The guides are not here',
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
    ...view,
    language: 'en',
    style,
    early,
    scripts,
    filePolicy,
  })
