import { Eta } from 'eta'
import { loadAsset } from '../../platform/pages/assets.ts'
import type { Library, Rendered } from '../library.ts'
import { type FrontLanguage, frontTexts } from './texts.ts'

export const html = 'text/html; charset=utf-8'

export const css = loadAsset(import.meta.url, 'docs.css')

/** Nothing from elsewhere, no script, nothing to send, and in nobody's frame. */
export const pageHeaders = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  'cross-origin-opener-policy': 'same-origin',
}

// Escaping is eta's default too; it is named here because what the pages show depends on it.
const eta = new Eta({ views: import.meta.dirname, cache: true, autoEscape: true })

type FrontView = { language: FrontLanguage; baseUrl: string; hasDocuments: boolean; hasSimulator: boolean }

export const renderFront = (view: FrontView) => {
  const t = frontTexts[view.language]
  return eta.render('./front', { ...view, t, css: css.path, title: t.title })
}

export const renderDocument = ({
  library,
  ...document
}: Rendered & { address: string; library: Library }): string =>
  eta.render('./document', {
    ...document,
    language: 'en',
    css: css.path,
    contents: library.contents,
  })

/** There is no such document, or none at all. */
export const renderMissing = (library: Library | undefined): string =>
  eta.render('./missing', {
    language: 'en',
    css: css.path,
    title: library ? 'There is no such page' : 'The guides are not here',
    contents: library?.contents,
  })
