import { loadAsset, loadSheet } from '@pesewa/pages'

const script = loadAsset(import.meta.url, 'checkout.js')

/** The static files of the payment pages. */
export const assets = [script]

export const scriptPath = script.path

export const styles = loadSheet(import.meta.url, 'payer.css', 'checkout.css')

/** The style sheets of previews, which show one colour scheme, whatever the browser prefers. */
export const previewStyles = { light: inScheme('light'), dark: inScheme('dark') }

function inScheme(scheme: 'light' | 'dark'): string {
  return styles
    .replaceAll('@media (prefers-color-scheme:dark)', scheme === 'dark' ? '@media all' : '@media not all')
    .replaceAll('color-scheme:light dark', `color-scheme:${scheme}`)
}
