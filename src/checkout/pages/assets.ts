import { loadAsset } from '../../platform/pages/assets.ts'

const script = loadAsset(import.meta.url, 'checkout.js')
const sheet = loadAsset(import.meta.url, 'checkout.css')

/** The payment pages' static files. */
export const assets = [script]

export const scriptPath = script.path

/** Stands in each page, so that a slow phone shows it after one round trip. Without what only its authors read. */
export const styles = sheet.body
  .toString()
  .replaceAll(/\/\*.*?\*\//gs, '')
  .replaceAll(/\s+/g, ' ')
  .replaceAll(/ ?([{};,]) ?/g, '$1')
  .replaceAll(': ', ':')
  .replaceAll(';}', '}')
  .trim()
