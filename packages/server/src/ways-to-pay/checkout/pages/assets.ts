import { loadAsset, loadSheet } from '@pesewa/pages'

const script = loadAsset(import.meta.url, 'checkout.js')

/** The static files of the payment pages. */
export const assets = [script]

export const scriptPath = script.path

export const styles = loadSheet(import.meta.url, 'payer.css', 'checkout.css')
